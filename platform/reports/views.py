from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import get_readable, may_edit
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from reports.exporting import columns_of, csv_lines, shown_rows
from reports.interim import REPLICATES, relation_so_far
from reports.watching import watch


def _campaign(request: HttpRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    return get_readable(rows, request.user, slug=slug)


@login_required
@require_safe
def live(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = _campaign(request, slug)
    if request.htmx and request.GET.get("seen") != campaign.state:
        return HttpResponseClientRefresh()
    watched = watch(campaign)
    context = {
        "campaign": campaign,
        "watch": watched,
        "so_far": relation_so_far(campaign, watched),
        "replicates": REPLICATES,
        "may_edit": may_edit(request.user, campaign.team),
        "currency": settings.PAY_CURRENCY,
        "minimum_pay": settings.MINIMUM_HOURLY_PAY,
    }
    return render(request, "reports/live_watch.html" if request.htmx else "reports/live.html", context)


@login_required
@require_safe
def judgments(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    campaign = _campaign(request, slug)
    columns = columns_of(campaign)
    lines = csv_lines(columns, shown_rows(request.user, campaign, columns))
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=_named(f"{slug}-judgments.csv"))


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
