from django.db import transaction

from campaigns.models import Campaign
from campaigns.moving import State, locked


def save_changes(campaign: Campaign) -> None:
    """CampaignError if it is no draft any more."""
    with transaction.atomic():
        locked(campaign, State.DRAFT)
        campaign.save()


def delete_draft(campaign: Campaign) -> None:
    with transaction.atomic():
        locked(campaign, State.DRAFT).delete()
