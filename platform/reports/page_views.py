"""The report's page: whole, or of what a researcher asks to see of it."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import Truncator
from django.views.decorators.http import require_safe

from accounts.access import get_readable
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from reports.aggregating import CACHED_SECONDS, SHAPE, Drawn, report_of
from reports.building import drawn_of, is_current, is_too_large, shown_build
from reports.bundling import bundle_name
from reports.files import FILES
from reports.filter_forms import FilterForm
from reports.filtering import ALL, Asked, choices_of, text_facts
from reports.writing import page_context

BEGINNING = 160


def _campaign(request: HttpRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    return get_readable(rows, request.user, slug=slug)


@login_required
@require_safe
def report(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = _campaign(request, slug)
    choices = choices_of(campaign, text_facts(campaign))
    form = FilterForm(request.GET, choices=choices, rules=bool(campaign.rules), large=is_too_large(campaign))
    asked = form.asked if form.is_valid() else None
    drawn = report_of(campaign, asked) if asked else drawn_of(campaign)
    build = shown_build(campaign, request.user)
    shown = {"campaign": campaign, "filters": form, "asked": asked, "files": not asked, "bundle": bundle_name()}
    shown |= {"build": build, "current": build and is_current(build), "kinds": FILES}
    shown |= _shown(drawn, asked or ALL) if drawn else {}
    return render(request, "reports/campaign.html", shown, status=200 if form.is_valid() else 400)


def _shown(drawn: Drawn, asked: Asked) -> dict[str, Any]:
    """Its long part is rendered once: thousands of cells take longer than a page may."""
    name = f"{drawn.made_at.timestamp()} {asked.digest} {drawn.report['meta']['hashes']['data']} {SHAPE}"
    kept = {} if settings.DEBUG else {"cached_as": name, "cached_for": CACHED_SECONDS}
    return page_context(drawn.report, drawn.figures) | kept | {"made_at": drawn.made_at}


@login_required
@require_safe
def report_ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Asked again and again by a page that waits for a large report, which is loaded anew once there is one."""
    campaign = _campaign(request, slug)
    return HttpResponse(status=204, headers={"HX-Refresh": "true"} if drawn_of(campaign) else {})


@login_required
@require_safe
def report_text(request: HttpRequest, slug: str) -> JsonResponse:
    """The beginning of a text, for who points at it in a chart."""
    campaign = _campaign(request, slug)
    text = get_object_or_404(campaign.dataset.texts, key=request.GET.get("key", "").replace("\0", "\ufffd"))
    return JsonResponse({"beginning": Truncator(text.content).chars(BEGINNING)})
