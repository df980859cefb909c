"""From one state to the next, under a lock: a second click finds the state changed and is told so."""

from django.db import transaction
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.telling import tell

State = Campaign.State


class CampaignError(Exception):
    """Why a campaign cannot do what was asked, in a sentence for its researcher."""


def locked(campaign: Campaign, *states: str) -> Campaign:
    """The campaign's row, locked until the transaction ends. CampaignError in any other state."""
    row = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if row.state not in states:
        wanted = " or ".join(State(state).label.lower() for state in states)
        raise CampaignError(f"The campaign is {row.get_state_display().lower()} by now; this needs it {wanted}.")
    return row


def pause(campaign: Campaign) -> None:
    """Workers who are on an item finish it; nobody gets another."""
    with transaction.atomic():
        _move(campaign, State.PAUSED, State.LIVE)
        tell(campaign, "campaign.paused")


def resume(campaign: Campaign) -> None:
    _move(campaign, State.LIVE, State.PAUSED)


def close(campaign: Campaign) -> None:
    """For good: a closed campaign takes no more judgments."""
    with transaction.atomic():
        _move(campaign, State.CLOSED, State.LIVE, State.PAUSED)
        tell(campaign, "campaign.closed")


def _move(campaign: Campaign, to: str, *from_: str) -> None:
    """One statement, which locks and checks at once."""
    closed_at = timezone.now() if to == State.CLOSED else None
    moved = Campaign.objects.filter(pk=campaign.pk, state__in=from_).update(state=to, closed_at=closed_at)
    campaign.refresh_from_db()
    if not moved:
        raise CampaignError(f"The campaign is {campaign.get_state_display().lower()} already.")
