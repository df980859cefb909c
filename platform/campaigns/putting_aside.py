"""Campaigns put aside: they stay as they are, and lists leave them out. Taken back at any time."""

from django.utils import timezone

from campaigns.models import Campaign
from campaigns.moving import CampaignError, State

# Workers may come to these at any moment: nobody should overlook them.
GOING_ON = (State.PREPARING, State.LIVE, State.PAUSED)


def put_aside(campaign: Campaign) -> None:
    """CampaignError while something goes on in it. Twice changes nothing."""
    if campaign.state in GOING_ON:
        raise CampaignError(f"The campaign is {campaign.get_state_display().lower()}: put it aside once that is over.")
    Campaign.objects.filter(pk=campaign.pk, archived_at=None).update(archived_at=timezone.now())
    campaign.refresh_from_db(fields=["archived_at"])


def take_back(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(archived_at=None)
    campaign.refresh_from_db(fields=["archived_at"])
