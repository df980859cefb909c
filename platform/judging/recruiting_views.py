"""A campaign's recruitment page, and what is done from it."""

import csv
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import get_editable, get_supervised
from accounts.auditing import Act, record
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from judging import inviting, recruiting, recruiting_forms
from judging.models import BonusPayment, ProlificStudy
from judging.recruiting_showing import invitation_link, page
from materials.counting import counted
from recruitment.prolific_api import ProlificError


@login_required
@require_safe
def recruitment(request: ResearcherRequest, slug: str) -> HttpResponse:
    return _page(request, get_supervised(_campaigns(), request.user, slug=slug))


def _campaigns() -> QuerySet[Campaign]:
    return Campaign.objects.select_related("team", "dataset", "classifier")


def _page(request: ResearcherRequest, campaign: Campaign, status: int = 200, **forms: Form) -> HttpResponse:
    context = page(campaign, _link(request, campaign), forms)
    context |= {"hook_link": request.build_absolute_uri(reverse("prolific_hook"))}
    return render(request, "judging/recruitment.html", context, status=status)


def _link(request: ResearcherRequest, campaign: Campaign) -> str:
    return request.build_absolute_uri(reverse("worker_arrival", args=[campaign.slug]))


@never_cache
@login_required
@require_POST
def invitations(request: ResearcherRequest, slug: str) -> HttpResponse:
    """New ones, as a file: the only time that their links are known."""
    campaign = get_editable(_campaigns(), request.user, slug=slug)
    form = recruiting_forms.InvitationsForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, status=422, invitations_form=form)
    with transaction.atomic():
        made = inviting.invite(campaign, form.cleaned_data["count"])
        record(request.user, campaign.team, Act.TICKETS_MADE, campaign, count=len(made))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-invitations-{made[0][0]}.csv"'
    rows = csv.writer(response)
    rows.writerow(["number", "link"])
    rows.writerows([number, invitation_link(_link(request, campaign), ticket)] for number, ticket in made)
    return response


@login_required
@require_POST
def invitation_revoke(request: ResearcherRequest, slug: str, number: int) -> HttpResponse:
    campaign = get_editable(_campaigns(), request.user, slug=slug)
    if inviting.revoke(campaign, number):
        record(request.user, campaign.team, Act.RECRUITED, campaign, revoked=number)
        messages.success(request, f"Invitation {number} lets nobody in any more.")
    else:
        messages.error(request, f"Invitation {number} is in use or gone: it cannot be taken back.")
    return redirect("campaign_recruitment", slug)


@login_required
@require_POST
def codes(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = get_editable(_campaigns(), request.user, slug=slug)
    form = recruiting_forms.ClassCodeForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, status=422, code_form=form)
    with transaction.atomic():
        made = inviting.add_code(campaign, form.cleaned_data["uses"])
        record(request.user, campaign.team, Act.TICKETS_MADE, campaign, uses=made.uses)
    return redirect("campaign_recruitment", slug)


@login_required
@require_POST
def code_revoke(request: ResearcherRequest, slug: str, code: str) -> HttpResponse:
    campaign = get_editable(_campaigns(), request.user, slug=slug)
    if inviting.revoke_code(campaign, code):
        record(request.user, campaign.team, Act.RECRUITED, campaign, revoked=code)
        messages.success(request, f"{code} lets nobody new in. Who came by it goes on.")
    return redirect("campaign_recruitment", slug)


def _on_prolific(
    form_class: type[Form] | None = None, name: str = "", logged: Act = Act.RECRUITED
) -> Callable[[Callable[[ResearcherRequest, Campaign, dict[str, Any]], str]], Callable[..., HttpResponse]]:
    """A click that asks something of Prolific: its form is read, and what Prolific says is told on the page."""

    def decorate(act: Callable[[ResearcherRequest, Campaign, dict[str, Any]], str]) -> Callable[..., HttpResponse]:
        @login_required
        @require_POST
        def view(request: ResearcherRequest, slug: str) -> HttpResponse:
            campaign = get_editable(_campaigns(), request.user, slug=slug)
            form = form_class(request.POST) if form_class else None
            if form and not form.is_valid():
                return _page(request, campaign, status=422, **{name: form})
            try:
                done = act(request, campaign, form.cleaned_data if form else {})
                record(request.user, campaign.team, logged, campaign, done=done)
                messages.success(request, done)
            except ProlificStudy.DoesNotExist:
                messages.error(request, "Link the study on Prolific first.")
            except ProlificError as error:
                messages.error(request, str(error))
            return redirect("campaign_recruitment", slug)

        return view

    return decorate


@_on_prolific(recruiting_forms.StudyForm, "study_form")
def study(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    recruiting.link_study(campaign, said["study"])
    return "The study is linked."


@_on_prolific(recruiting_forms.DraftForm, "draft_form")
def study_draft(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    recruiting.draft_study(campaign, said["name"], said["description"], _link(request, campaign), said["places"])
    return "The draft is on Prolific. Choose there whom it is for, and publish it."


@_on_prolific()
def submissions(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    return f"Read from Prolific: {counted(recruiting.read(campaign).done, 'submission')}."


@_on_prolific(logged=Act.APPROVED)
def approve(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    done = recruiting.approve_completed(campaign).done
    return f"Prolific approves {counted(done, 'submission')} in the minutes that follow." if done else "Nobody waits."


@_on_prolific()
def returns(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    tally = recruiting.request_returns(campaign)
    more = f" {tally.left} are left: click again." if tally.left else ""
    return f"{counted(tally.done, 'worker')} asked to return the submission.{more}"


@_on_prolific(recruiting_forms.PlacesForm, "places_form")
def places(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    recruiting.add_places(campaign, said["more"])
    return f"{counted(said['more'], 'place')} added on Prolific."


@_on_prolific(recruiting_forms.BonusesForm, "bonuses_form")
def bonuses(request: ResearcherRequest, campaign: Campaign, said: dict[str, Any]) -> str:
    payment = recruiting.set_up_bonuses(campaign, said["amounts"])
    return f"Bonuses of {counted(len(payment.amounts), 'worker')} are set up, not paid: look at the sum, then pay."


@login_required
@require_POST
def bonuses_pay(request: ResearcherRequest, slug: str, number: int) -> HttpResponse:
    campaign = get_editable(_campaigns(), request.user, slug=slug)
    payment = get_object_or_404(BonusPayment.objects.select_related("campaign"), campaign=campaign, pk=number)
    try:
        recruiting.pay_bonuses(payment)
        record(request.user, campaign.team, Act.PAID, campaign, workers=len(payment.amounts), total=payment.total)
        messages.success(request, "Sent: Prolific pays in the minutes that follow.")
    except ProlificError as error:
        messages.error(request, str(error))
    return redirect("campaign_recruitment", slug)
