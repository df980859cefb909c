"""The page on which a campaign's marks become the rationales of its texts."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.access import get_editable
from accounts.auditing import Act, record
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from campaigns.recognising import protocol_of
from materials.counting import counted
from reports.taking_rationales import Gathered, TakingError, gather, replaced, take


class RationalesForm(forms.Form):
    percent = forms.IntegerField(
        label="Share of workers, in percent",
        min_value=1,
        max_value=100,
        initial=50,
        help_text="A word counts where at least so many of them marked it.",
    )
    least = forms.IntegerField(
        label="Workers per text", min_value=1, max_value=100, help_text="Texts that fewer have marked are left out."
    )
    overwrite = forms.BooleanField(label="Replace the rationales that texts have already", required=False)

    def gather(self, campaign: Campaign) -> Gathered:
        return gather(campaign, self.cleaned_data["percent"] / 100, self.cleaned_data["least"])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_rationales(request: ResearcherRequest, slug: str) -> HttpResponse:
    campaign = get_editable(Campaign.objects.select_related("team", "dataset"), request.user, slug=slug)
    if not protocol_of(campaign).marks:
        raise Http404("Workers of this campaign mark no words.")
    usual = {"percent": 50, "least": campaign.judgments_per_stimulus}
    form = RationalesForm({**usual, **request.GET.dict(), **request.POST.dict()})
    context: dict[str, Any] = {"campaign": campaign, "form": form}
    if form.is_valid():
        found = form.gather(campaign)
        context |= {"found": found, "others": replaced(found)}
        if request.method == "POST":
            try:
                with transaction.atomic():
                    written = take(campaign, found, form.cleaned_data["overwrite"])
                    record(request.user, campaign.team, Act.RATIONALES_TAKEN, campaign.dataset, texts=written)
            except TakingError as error:
                return render(request, "reports/rationales.html", context | {"problem": error}, status=422)
            messages.success(request, f"{counted(written, 'text')} of {campaign.dataset} now bear what workers marked.")
            return redirect(campaign.dataset)
    return render(request, "reports/rationales.html", context)
