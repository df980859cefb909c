from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import editable_teams, get_editable, get_readable, may_edit, may_own
from accounts.auditing import Act, record
from accounts.requests import ResearcherRequest
from campaigns import editing, preparing, sketching, starting
from campaigns.acting import act
from campaigns.creating import copy_campaign
from campaigns.describing import planned
from campaigns.listing import campaigns_page
from campaigns.models import Campaign
from campaigns.moving import CampaignError
from campaigns.proceeding import campaign_page, imported_page
from campaigns.showing import show
from materials import explaining


@login_required
@require_safe
def campaign_list(request: ResearcherRequest) -> HttpResponse:
    context = campaigns_page(request.user, request.GET) | {"may_add": editable_teams(request.user).exists()}
    return render(request, "campaigns/campaign_list.html", context)


@login_required
@require_safe
def campaign(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = _readable(request, slug)
    may = {"may_edit": may_edit(request.user, row.team), "may_own": may_own(request.user, row.team)}
    if row.imported:
        return render(request, "campaigns/imported.html", imported_page(row) | may)
    preparing.settle(row, request.user)
    context = (
        campaign_page(row)
        | may
        | {
            "sketch": sketching.newest(request.user, row) if may["may_edit"] else None,
            "plan": planned(row),
            "currency": settings.PAY_CURRENCY,
            "worker_link": request.build_absolute_uri(f"/w/{row.slug}/"),
        }
    )
    return render(request, "campaigns/campaign.html", context)


@login_required
@require_safe
def campaign_progress(request: ResearcherRequest, slug: str) -> HttpResponse:
    """Asked again and again by the page; once something has changed the page is loaded anew."""
    row = _readable(request, slug)
    before = (row.state, row.run_id)
    preparing.settle(row, request.user)
    if (row.state, row.run_id) != before or row.run is None or row.run.state != "running":
        return HttpResponseClientRefresh()
    context = {"campaign": row, "progress": explaining.progress(row.run), "may_edit": may_edit(request.user, row.team)}
    return render(request, "campaigns/progress.html", context)


@login_required
@require_safe
def campaign_launching(request: ResearcherRequest, slug: str) -> HttpResponse:
    """Asked again and again by the page; once it is launched, or is not, the page is loaded anew."""
    row = _readable(request, slug)
    launch = starting.launch_of(row)
    if row.state != Campaign.State.READY or launch is None or not launch.under_way:
        return HttpResponseClientRefresh()
    return render(request, "campaigns/launching.html", {"campaign": row, "launch": launch})


@login_required
@require_safe
def campaign_preview(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = _readable(request, slug)
    context = show(row, *(request.GET.get(name, "") for name in ("text", "condition", "worker", "step")))
    return render(request, "campaigns/campaign_preview.html", context)


def _readable(request: ResearcherRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run", "copied_from")
    return get_readable(rows, request.user, slug=slug)


@login_required
@require_POST
def campaign_action(request: ResearcherRequest, slug: str, action: str) -> HttpResponse:
    row = _editable(request, slug)
    try:
        act(row, action, request.user)
    except CampaignError as error:
        messages.error(request, str(error))
    return redirect(row)


@login_required
@require_POST
def campaign_copy(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = _editable(request, slug)
    try:
        with transaction.atomic():
            copied = copy_campaign(row)
            record(request.user, row.team, Act.COPIED, row, copy=copied.slug)
    except CampaignError as error:
        messages.error(request, str(error))
        return redirect(row)
    messages.success(request, "This is the copy, a draft. The campaign it was made from stays as it is.")
    return redirect("campaign_edit", copied.slug)


@login_required
@require_POST
def campaign_delete(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = _editable(request, slug)
    try:
        with transaction.atomic():
            record(request.user, row.team, Act.DELETED, row)
            editing.delete_draft(row)
    except CampaignError as error:
        messages.error(request, str(error))
        return redirect(row)
    messages.success(request, f"The draft {row.name} is deleted.")
    return redirect("campaign_list")


def _editable(request: ResearcherRequest, slug: str) -> Campaign:
    rows = Campaign.objects.select_related("team", "dataset", "classifier", "run")
    return get_editable(rows, request.user, slug=slug)
