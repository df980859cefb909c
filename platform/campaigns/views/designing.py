from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import editable_teams, get_editable
from accounts.requests import ResearcherRequest
from campaigns.creating import defaults, save_new
from campaigns.editing import save_changes
from campaigns.forms import CampaignForm, StartForm
from campaigns.models import Campaign
from campaigns.moving import CampaignError
from campaigns.prefilling import carried, planned
from protocols import PROTOCOLS


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: ResearcherRequest) -> HttpResponse:
    """First what it is about, from which the rest is proposed; then all of it on one page."""
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's campaigns, but not start one. Ask an owner of the team.")
    if request.method == "POST":
        form = CampaignForm(request.user, request.POST)
        return redirect(save_new(form.save(commit=False))) if form.is_valid() else _wizard(request, form)
    start = StartForm(
        request.user, request.GET if {"protocol", "dataset"} <= request.GET.keys() else None, initial=request.GET.dict()
    )
    if not start.is_valid():
        context = {"form": start, "protocols": PROTOCOLS.values(), "carried": carried(request.GET)}
        return render(request, "campaigns/campaign_start.html", context)
    chosen = start.cleaned_data
    materials = chosen["dataset"], chosen["classifier"]
    proposed = defaults(chosen["protocol"], *materials) | planned(request.GET, *materials)
    return _wizard(request, CampaignForm(request.user, initial=chosen | proposed))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Campaign.objects.select_related("team"), request.user, slug=slug)
    if row.state != Campaign.State.DRAFT:
        messages.error(request, "Only a draft can be changed. Copy the campaign to change its design.")
        return redirect(row)
    form = CampaignForm(request.user, request.POST or None, instance=row)
    if request.method == "POST" and form.is_valid():
        try:
            save_changes(form.save(commit=False))
        except CampaignError as error:
            messages.error(request, str(error))
        return redirect(row)
    return _wizard(request, form)


def _wizard(request: ResearcherRequest, form: CampaignForm) -> HttpResponse:
    context = {"form": form, "campaign": form.instance, **_money()}
    return render(request, "campaigns/campaign_form.html", context)


@login_required
@require_POST
def campaign_methods(request: ResearcherRequest) -> HttpResponse:
    """The methods that serve the classifier, once another one is chosen."""
    return render(request, "campaigns/methods.html", {"form": CampaignForm(request.user, request.POST)})


@login_required
@require_POST
def campaign_estimate(request: ResearcherRequest) -> HttpResponse:
    """What the design takes, as far as it is filled in."""
    form = CampaignForm(request.user, request.POST)
    form.is_valid()
    context = {"form": form, "estimate": form.estimate(), "computing": form.computing(), **_money()}
    return render(request, "campaigns/estimate_side.html", context)


def _money() -> dict[str, Any]:
    return {"currency": settings.PAY_CURRENCY, "least_pay": settings.MINIMUM_HOURLY_PAY}
