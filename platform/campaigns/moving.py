"""From one state to the next, under a lock: a second click finds the state changed and is told so."""

from django.db import OperationalError, transaction
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.telling import tell

State = Campaign.State
DELETED = "Somebody has deleted the campaign meanwhile."


class CampaignError(Exception):
    """Why a campaign cannot do what was asked, in a sentence for its researcher."""


def locked(campaign: Campaign, *states: str) -> Campaign:
    """The campaign's row, locked until the transaction ends. CampaignError in any other state, or if it is deleted."""
    row = Campaign.objects.select_for_update().filter(pk=campaign.pk).first()
    if row is None:
        raise CampaignError(DELETED)
    if row.state not in states:
        wanted = " or ".join(State(state).label.lower() for state in states)
        raise CampaignError(f"The campaign is {row.get_state_display().lower()} by now; this needs it {wanted}.")
    return row


def refuse_while_launching(campaign: Campaign) -> None:
    """Within a transaction. CampaignError while a worker process launches it: waiting for that would take too long."""
    try:
        with transaction.atomic():
            list(Campaign.objects.select_for_update(nowait=True).filter(pk=campaign.pk))
    except OperationalError as error:
        raise CampaignError("The campaign is being launched just now: wait until that is done.") from error


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
    if not moved and not Campaign.objects.filter(pk=campaign.pk).exists():
        raise CampaignError(DELETED)
    campaign.refresh_from_db()
    if not moved:
        raise CampaignError(f"The campaign is {campaign.get_state_display().lower()} already.")
