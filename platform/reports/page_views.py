from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import get_readable
from campaigns.models import Campaign
from reports.aggregating import report_of
from reports.bundling import bundle_name
from reports.writing import page_context


@login_required
@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    campaign = get_readable(rows, request.user, slug=slug)
    drawn = report_of(campaign)
    shown = {"campaign": campaign, "downloads": True, "made_at": drawn.made_at, "bundle": bundle_name()}
    return render(request, "reports/campaign.html", page_context(drawn.report, drawn.figures) | shown)
