"""A text stays a worker's for a while; the page says when that is nearly over, and gives more."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Place
from judging.assigning import assign_next
from judging.models import Assignment, Judgment, Participation
from judging.recording import Outcome, record
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press, text_of


def in_hand(participation: Participation, minutes: int) -> Assignment:
    """The item in hand, with this much time left."""
    number = assign_next(participation).assignment
    assert number is not None
    until = timezone.now() + timedelta(minutes=minutes)
    Assignment.objects.filter(pk=number).update(deadline=until)
    Place.objects.filter(assignment=number).update(leased_until=until)
    return Assignment.objects.get(pk=number)


def ask(client: Client, participation: Participation, number: object) -> int:
    seconds: int = client.post(page_of(participation, "worker_time"), {"assignment": number}).json()["seconds"]
    return seconds


@pytest.mark.django_db
def test_it_works(client: Client, wanda: Participation) -> None:
    assignment = in_hand(wanda, minutes=1)
    assert ask(client, wanda, assignment.pk) == 600
    assignment.refresh_from_db()
    assert assignment.deadline > timezone.now() + timedelta(minutes=9)
    assert assignment.place is not None and assignment.place.leased_until == assignment.deadline


@pytest.mark.django_db
def test_the_page_knows_how_long_is_left(client: Client, wanda: Participation) -> None:
    assert 'data-seconds="600"' in text_of(client.get(page_of(wanda)))
    in_hand(wanda, minutes=2)
    assert 'data-seconds="120"' in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_a_page_that_asks_again_knows_it_too(client: Client, wanda: Participation) -> None:
    in_hand(wanda, minutes=2)
    refused = press(client, client.get(page_of(wanda)))
    assert refused.status_code == 422 and 'data-seconds="120"' in text_of(refused)


@pytest.mark.django_db
def test_a_text_that_others_have_is_gone(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=1))
    assignment = in_hand(wanda, minutes=-1)
    Place.objects.update(state=Place.State.FILLED, leased_until=None)
    Assignment.objects.update(place=None)
    assert ask(client, wanda, assignment.pk) == 0


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["", "x", "0", "999999", str(2**63)])
def test_what_is_nobodys_gets_no_time(client: Client, wanda: Participation, number: str) -> None:
    assert ask(client, wanda, number) == 0


@pytest.mark.django_db
def test_nobody_asks_for_another(client: Client, wanda: Participation) -> None:
    assignment = in_hand(wanda, minutes=1)
    assert ask(client, worker(wanda.campaign, "bert"), assignment.pk) == 0


@pytest.mark.django_db
def test_what_is_answered_needs_no_time(client: Client, wanda: Participation) -> None:
    press(client, client.get(page_of(wanda)), answer="positive")
    assert ask(client, wanda, Judgment.objects.get().assignment_id) == 0


@pytest.mark.django_db
def test_opened_alone_it_leads_back(client: Client, wanda: Participation) -> None:
    assert client.get(page_of(wanda, "worker_time")).headers["Location"] == page_of(wanda)


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "outcome"), [(9, Outcome.SAVED), (11, Outcome.LATE)])
def test_the_hour_that_comes_twice_in_autumn_is_none(
    wanda: Participation, monkeypatch: pytest.MonkeyPatch, minutes: int, outcome: Outcome
) -> None:
    leased = datetime(2026, 10, 25, 0, 55, tzinfo=UTC)
    with timezone.override("Europe/Berlin"):
        monkeypatch.setattr(timezone, "now", lambda: leased)
        turn = assign_next(wanda)
        assert turn.assignment and turn.deadline == leased + timedelta(minutes=10)
        monkeypatch.setattr(timezone, "now", lambda: leased + timedelta(minutes=minutes))
        assert record(turn.assignment, {"answer": "positive"}) == outcome
    assert Judgment.objects.get().received_at == leased + timedelta(minutes=minutes)
