from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import editable_teams
from accounts.requests import ResearcherRequest
from reports.planning import Money, answer, cell, heads, notes, pilot_notes, warnings
from reports.planning_forms import PlanForm
from reports.planning_pages import plan_of, wizard_link

MONEY = Money(settings.PAY_CURRENCY, settings.MINIMUM_HOURLY_PAY)


@login_required
@require_safe
def plan(request: ResearcherRequest) -> HttpResponse:
    """What a comparison takes; the address holds all that was asked."""
    form = PlanForm(request.user, request.GET if "protocol" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        context |= _answered(request, form)
    return render(request, "reports/plan.html", context)


def _answered(request: ResearcherRequest, form: PlanForm) -> dict[str, Any]:
    made = plan_of(form.asked())
    found = made.plan
    columns = heads(found)
    return {
        "plan": found,
        "figures": made.figures,
        "answer": answer(found, MONEY).replace(" %", "\N{NO-BREAK SPACE}%"),
        "warnings": warnings(found, MONEY),
        "notes": notes(found, MONEY) + (pilot_notes(form.known) if form.known else []),
        "columns": columns,
        "rows": [[cell(found, row, head) for head in columns] for row in found["grid"]],
        "wizard": wizard_link(found) if editable_teams(request.user).exists() else "",
    }
