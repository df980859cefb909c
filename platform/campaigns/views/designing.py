from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import replace_url

from accounts.access import editable_teams, get_editable
from accounts.requests import ResearcherRequest
from campaigns import finishing, sketching
from campaigns.creating import defaults
from campaigns.editing import ChangedMeanwhile, differences
from campaigns.forms import CampaignForm, StartForm
from campaigns.models import Campaign, Sketch
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
        return _make(request)
    if sketch := sketching.find(request.user, None, request.GET.get("sketch", "")):
        return _wizard(request, CampaignForm(request.user, QueryDict(sketch.filled_in)), sketch)
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


def _make(request: ResearcherRequest) -> HttpResponse:
    form = CampaignForm(request.user, request.POST)
    if not form.is_valid():
        return _wizard(request, form, sketching.keep(request.user, None, request.POST))
    return redirect(finishing.make(request.user, form, sketching.page_of(request.POST)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_editable(Campaign.objects.select_related("team"), request.user, slug=slug)
    if row.state != Campaign.State.DRAFT:
        messages.error(request, "Only a draft can be changed. Copy the campaign to change its design.")
        return redirect(row)
    if request.method == "POST":
        return _change(request, row)
    asked = request.GET.get("sketch", "")
    sketch = sketching.find(request.user, row, asked) or sketching.newest(request.user, row)
    filled_in = QueryDict(sketch.filled_in) if sketch else None
    return _wizard(request, CampaignForm(request.user, filled_in, instance=row), sketch)


def _change(request: ResearcherRequest, row: Campaign) -> HttpResponse:
    form = CampaignForm(request.user, request.POST, instance=row)
    if not form.is_valid():
        return _wizard(request, form, sketching.keep(request.user, row, request.POST))
    try:
        finishing.change(request.user, row, form, sketching.page_of(request.POST))
    except ChangedMeanwhile as error:
        sketch = sketching.keep(request.user, row, request.POST)
        return _wizard(request, form, sketch, theirs=error.theirs, differences=differences(row, error.theirs))
    except CampaignError as error:
        messages.error(request, str(error))
    return redirect(row)


def _wizard(request: ResearcherRequest, form: CampaignForm, sketch: Sketch | None = None, **more: Any) -> HttpResponse:
    """The draft that it is based on, unless it has changed meanwhile, is the one that the page was loaded with."""
    edits = more["theirs"].edits if "theirs" in more else form.data.get("edits", form.instance.edits)
    context = {"form": form, "campaign": form.instance, "sketch": sketch, "edits": edits, "page": uuid4()}
    context |= _money() | more
    return render(request, "campaigns/campaign_form.html", context)


@login_required
@require_POST
def campaign_autosave(request: ResearcherRequest, slug: str = "") -> HttpResponse:
    """Sent by the page while it is filled in, and once more when it is closed."""
    row = get_editable(Campaign.objects.all(), request.user, slug=slug) if slug else None
    if not editable_teams(request.user).exists():
        raise PermissionDenied("You can look at the team's campaigns, but not start one. Ask an owner of the team.")
    sketch = sketching.keep(request.user, row, request.POST)
    response = render(request, "campaigns/autosaved.html", {"sketch": sketch, "saved": True})
    return replace_url(response, sketch.get_absolute_url()) if request.htmx else response


@login_required
@require_POST
def sketch_drop(request: ResearcherRequest, key: UUID) -> HttpResponse:
    sketch = get_object_or_404(Sketch.objects.select_related("campaign"), user=request.user, key=key)
    sketch.delete()
    messages.success(request, "What was not saved is thrown away.")
    return redirect("campaign_edit", sketch.campaign.slug) if sketch.campaign else redirect("campaign_list")


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
