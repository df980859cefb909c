"""Pages for researchers who want to see what a worker saw."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from accounts.access import get_readable, get_supervised, may_supervise
from campaigns.models import Campaign
from reports.replaying import SCHEMES, find_judgment, judgments_page, seen, style_of, told

ROWS = Campaign.objects.select_related("team", "dataset", "classifier")


@login_required
@require_safe
def judgment_list(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = get_readable(ROWS, request.user, slug=slug)
    wanted = (request.GET.get(name, "").replace("\0", "\ufffd") for name in ("worker", "text", "page"))
    context = {"campaign": campaign, "may_supervise": may_supervise(request.user, campaign.team)}
    return render(request, "reports/judgments.html", judgments_page(campaign, *wanted) | context)


@login_required
@require_safe
def judgment(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = get_supervised(ROWS, request.user, slug=slug)
    context = told(campaign, find_judgment(campaign, number)) | {"campaign": campaign}
    return render(request, "reports/judgment.html", context)


@login_required
@require_safe
@xframe_options_sameorigin
def judgment_seen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Stands in a frame of the page above, and can send nothing and lead nowhere."""
    campaign = get_supervised(ROWS, request.user, slug=slug)
    found = find_judgment(campaign, number)
    context = seen(campaign, found)
    with override(found.assignment.participation.language):
        response = render(request, "reports/seen.html", context)
    response._csp_replace = {"frame-ancestors": ["'self'"], "sandbox": ["allow-scripts"]}  # type: ignore[attr-defined]
    return response


@require_safe
@cache_control(public=True, max_age=3600)
def replay_style(request: HttpRequest, scheme: str) -> HttpResponse:
    if scheme not in SCHEMES:
        raise Http404(f"Screens are {' or '.join(SCHEMES)}.")
    return HttpResponse(style_of(scheme), content_type="text/css; charset=utf-8")
