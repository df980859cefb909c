from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Team
from campaigns.editing import delete_draft
from campaigns.models import Campaign
from campaigns.moving import CampaignError, close, locked, pause, resume
from campaigns.preparing import back_to_draft
from tests.campaigns.actors import draft

State = Campaign.State
MOVES: dict[Callable[[Campaign], None], set[State]] = {
    pause: {State.LIVE},
    resume: {State.PAUSED},
    close: {State.LIVE, State.PAUSED},
}


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return draft(team)


def put(campaign: Campaign, state: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    campaign.refresh_from_db()


def test_it_works(campaign: Campaign) -> None:
    with transaction.atomic():
        assert locked(campaign, State.READY, State.DRAFT) == campaign


def test_another_state_is_named(campaign: Campaign) -> None:
    with pytest.raises(CampaignError, match="is draft by now; this needs it ready or live"), transaction.atomic():
        locked(campaign, State.READY, State.LIVE)


@pytest.mark.parametrize("move", [*MOVES, delete_draft, back_to_draft])
def test_what_is_deleted_meanwhile_is_told(campaign: Campaign, move: Callable[[Campaign], None]) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(removed_at=timezone.now())
    with pytest.raises(CampaignError, match="Somebody has deleted the campaign"):
        move(campaign)


@pytest.mark.parametrize("state", State.values)
@pytest.mark.parametrize("move", MOVES)
def test_only_some_states_move(campaign: Campaign, move: Callable[[Campaign], None], state: str) -> None:
    put(campaign, state)
    if state in MOVES[move]:
        move(campaign)
        assert campaign.state != state
    else:
        with pytest.raises(CampaignError, match=f"is {State(state).label.lower()} already"):
            move(campaign)
        assert campaign.state == state


def test_the_time_of_closing_is_kept(campaign: Campaign) -> None:
    put(campaign, State.LIVE)
    pause(campaign)
    assert campaign.closed_at is None
    close(campaign)
    assert campaign.closed_at


@pytest.mark.django_db(transaction=True)
def test_of_many_clicks_at_once_one_counts(campaign: Campaign) -> None:
    put(campaign, State.LIVE)

    def click(number: int) -> bool:
        try:
            pause(Campaign.objects.get(pk=campaign.pk))
        except CampaignError:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(click, range(6))) == 1
