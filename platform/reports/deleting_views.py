"""The page that deletes a campaign with all that was gathered in it, once its name is typed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.access import get_owned
from accounts.confirming import ConfirmForm
from accounts.requests import ResearcherRequest
from campaigns.models import Campaign
from campaigns.moving import CampaignError
from materials.models import Removal
from reports.deleting import delete_campaign, what_goes


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_remove(request: ResearcherRequest, slug: str) -> HttpResponse:
    row = get_owned(Campaign.objects.select_related("team", "dataset", "classifier"), request.user, slug=slug)
    form = ConfirmForm(row.name, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            removal = delete_campaign(row, request.user)
        except CampaignError as error:
            messages.error(request, str(error))
            return redirect(row)
        if removal.state != Removal.State.DONE:
            return redirect(removal)
        messages.success(request, f"The campaign {row.name} is deleted.")
        return redirect("campaign_list")
    context = {"campaign": row, "form": form, "goes": what_goes(row)}
    return render(request, "reports/campaign_remove.html", context, status=422 if form.is_bound else 200)
