"""Two campaigns compared on one page."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_readable
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from reports.bundling import bundle_name
from reports.comparing import contrast_figure, contrast_table
from reports.contrasting import ROWS, CompareForm, comparable, contrast_of
from reports.drawing import draw_all
from reports.presenting import make_chart


@login_required
@require_safe
def compare_campaigns(request: ResearcherRequest) -> HttpResponse:
    for name in ("a", "b"):
        if slug := request.GET.get(name):
            get_readable(ROWS, request.user, slug=slug)
    both = bool(request.GET.get("a") and request.GET.get("b"))
    form = CompareForm(comparable(request.user), request.GET if both else None, initial=request.GET.dict())
    shown = {"form": form, "bundle": bundle_name()}
    valid = both and form.is_valid()
    if valid:
        shown |= _compared(form.cleaned_data["a"], form.cleaned_data["b"])
    return render(request, "reports/compare.html", shown, status=400 if both and not valid else 200)


def _compared(one: Campaign, other: Campaign) -> dict[str, Any]:
    contrast = contrast_of(one, other)
    names = (one.name, other.name) if one.name != other.name else (one.slug, other.slug)
    table, figures = contrast_table(contrast, names), contrast_figure(contrast, names)
    drawn = draw_all(figures)
    charts = [make_chart(figure, drawn, [table]) for figure in figures]
    return {"contrast": contrast, "table": table, "charts": charts, "one": one, "other": other, "names": names}
