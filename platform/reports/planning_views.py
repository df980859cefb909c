from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import editable_teams
from accounts.requests import ResearcherRequest
from reports.planning import cell, heads
from reports.planning_forms import PlanForm
from reports.planning_pages import figures_of, in_words, plan_of, wizard_link


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
    asked = form.asked()
    found = plan_of(asked)
    said, columns = in_words(found, form.known), heads(found)
    return {
        "plan": found,
        "figures": figures_of(asked, found),
        "answer": said["answer"].replace(" %", "\N{NO-BREAK SPACE}%"),
        "warnings": said["warnings"],
        "notes": said["notes"],
        "columns": columns,
        "rows": [[cell(found, row, head) for head in columns] for row in found["grid"]],
        "wizard": wizard_link(found) if editable_teams(request.user).exists() else "",
    }
