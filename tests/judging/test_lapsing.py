from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.lapsing import lapse_idle
from judging.models import Assignment, Participation
from judging.recording import record
from judging.starting import agree
from tests.judging.building import live_campaign, worker
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State
LONG_AGO = timezone.now() - timedelta(days=3)


def gone(campaign: Campaign, name: str = "wanda") -> Participation:
    """Judged two items three days ago, and was not seen again."""
    participation = worker(campaign, name, consented_at=LONG_AGO, started_at=LONG_AGO)
    for _ in range(2):
        turn = assign_next(participation)
        assert turn.assignment
        record(turn.assignment, {"answer": "positive"})
    assign_next(participation)
    participation.assignments.update(leased_at=LONG_AGO, deadline=LONG_AGO)
    return participation


def test_it_works(db: None, campaign: Campaign) -> None:
    wanda = gone(campaign)
    assert lapse_idle(campaign) == 1
    wanda.refresh_from_db()
    assert wanda.state == State.TIMED_OUT and wanda.finished_at
    assert campaign.places.filter(state=Place.State.OPEN).count() == 48
    agree(wanda)
    assert campaign.places.filter(state=Place.State.FILLED).count() == 2
    assert lapse_idle(campaign) == 0


def test_whoever_has_an_item_in_hand_or_has_just_come_is_not_idle(db: None, campaign: Campaign) -> None:
    assign_next(worker(campaign, "bert", consented_at=LONG_AGO, started_at=LONG_AGO))
    worker(campaign, "cora", consented_at=timezone.now(), started_at=None, state=State.CONSENTED)
    assert lapse_idle(campaign) == 0


def test_whoever_agreed_and_never_began_is_given_up_too(db: None, campaign: Campaign) -> None:
    worker(campaign, "cora", consented_at=LONG_AGO, state=State.CONSENTED)
    assert lapse_idle(campaign) == 1


@pytest.mark.parametrize("state", [State.COMPLETED, State.RETURNED, State.SCREENED_OUT])
def test_whoever_has_ended_stays_as_they_ended(db: None, campaign: Campaign, state: str) -> None:
    Participation.objects.filter(pk=gone(campaign).pk).update(state=state)
    assert lapse_idle(campaign) == 0


def test_a_campaign_may_wait_for_ever(team: Team) -> None:
    campaign = live_campaign(team, idle_minutes=0)
    gone(campaign)
    assert lapse_idle(campaign) == 0


def test_nobody_is_given_up_while_the_campaign_is_paused(team: Team) -> None:
    campaign = live_campaign(team, state=Campaign.State.PAUSED)
    gone(campaign)
    assert lapse_idle(campaign) == 0


def test_somebody_who_arrives_finds_the_places_of_those_given_up(client: Client, team: Team) -> None:
    campaign = live_campaign(team, texts=2, methods=("a",), ks=(1,), judgments=1)
    gone(campaign)
    assert not campaign.places.filter(state=Place.State.OPEN).exists()
    response = arrive(client, campaign, PROLIFIC_PID="bert")
    assert "I agree" in response.content.decode()
    assert campaign.places.filter(state=Place.State.OPEN).count() == 2


def test_the_command_goes_through_all_live_campaigns(db: None, campaign: Campaign, team: Team) -> None:
    gone(campaign)
    gone(live_campaign(team, slug="other"))
    out = StringIO()
    call_command("lapse_workers", stdout=out)
    assert sorted(out.getvalue().splitlines()) == ["films: 1 given up", "other: 1 given up"]
    assert not Assignment.objects.filter(place__state=Place.State.LEASED).exists()


def test_whoever_was_given_up_finds_the_way_back(client: Client, campaign: Campaign) -> None:
    wanda = gone(campaign)
    lapse_idle(campaign)
    page = client.get(page_of(wanda))
    assert "You were away for a long time" in text_of(page)
    assert "3 of 40" in text_of(press(client, page, choice="agree"))
    assert campaign.places.filter(state=Place.State.FILLED).count() == 2


def test_an_answer_that_comes_after_all_is_kept_and_brings_the_worker_back(client: Client, campaign: Campaign) -> None:
    wanda = gone(campaign)
    page = client.get(page_of(wanda))
    Assignment.objects.filter(participation=wanda).update(deadline=LONG_AGO)
    lapse_idle(campaign)
    assert "4 of 40" in text_of(press(client, page, answer="positive"))
    assert campaign.places.filter(state=Place.State.FILLED).count() == 3
