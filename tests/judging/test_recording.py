from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.models import Assignment, Judgment, Participation
from judging.recording import Circumstances, Outcome, record
from tests.judging.building import worker

ANSWER = {"answer": "positive"}


def in_hand(participation: Participation) -> Assignment:
    turn = assign_next(participation)
    assert turn.assignment
    return Assignment.objects.get(pk=turn.assignment)


def run_out(assignment: Assignment) -> None:
    past = timezone.now() - timedelta(minutes=1)
    Assignment.objects.filter(pk=assignment.pk).update(deadline=past)
    Place.objects.filter(assignment=assignment).update(leased_until=past)


def fill_all_but(campaign: Campaign, assignment: Assignment) -> None:
    others = campaign.places.exclude(stimulus=assignment.stimulus_id)
    others.update(state=Place.State.FILLED, leased_until=None)


@pytest.mark.django_db
def test_it_works(wanda: Participation) -> None:
    assignment = in_hand(wanda)
    assert record(assignment.pk, ANSWER, Circumstances(response_ms=1234, shown={"scheme": "dark"})) is Outcome.SAVED
    judgment = Judgment.objects.get()
    assert judgment.answer == ANSWER
    assert judgment.response_ms == 1234
    assert judgment.shown == {"scheme": "dark"}
    assert judgment.place_id == assignment.place_id and not judgment.late
    place = Place.objects.get(assignment=assignment)
    assert place.state == Place.State.FILLED and place.leased_until is None


@pytest.mark.django_db
def test_a_second_answer_changes_nothing(wanda: Participation) -> None:
    assignment = in_hand(wanda)
    record(assignment.pk, ANSWER)
    assert record(assignment.pk, {"answer": "negative"}) is Outcome.REPEATED
    assert Judgment.objects.get().answer == ANSWER
    assert Place.objects.filter(state=Place.State.FILLED).count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_clicks_at_once_are_one_judgment(wanda: Participation) -> None:
    assignment = in_hand(wanda)

    def click(_: int) -> Outcome:
        try:
            return record(assignment.pk, ANSWER)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(click, range(16)))
    assert sorted(outcome.name for outcome in outcomes) == ["REPEATED"] * 15 + ["SAVED"]
    assert Judgment.objects.count() == 1


@pytest.mark.django_db
def test_a_late_answer_whose_place_nobody_took_counts(wanda: Participation) -> None:
    assignment = in_hand(wanda)
    run_out(assignment)
    assert record(assignment.pk, ANSWER) is Outcome.LATE
    judgment = Judgment.objects.get()
    assert judgment.late and judgment.place_id == assignment.place_id


@pytest.mark.django_db
def test_a_late_answer_takes_any_open_place_of_its_stimulus(campaign: Campaign, wanda: Participation) -> None:
    assignment = in_hand(wanda)
    run_out(assignment)
    fill_all_but(campaign, assignment)
    taken = in_hand(worker(campaign, "bert"))
    assert taken.place_id == assignment.place_id
    assert record(assignment.pk, ANSWER) is Outcome.LATE
    judgment = Judgment.objects.get()
    assert judgment.late and judgment.place and judgment.place.stimulus_id == assignment.stimulus_id
    assert judgment.place_id != assignment.place_id


@pytest.mark.django_db
def test_a_late_answer_that_finds_no_place_is_kept_and_does_not_count(campaign: Campaign, wanda: Participation) -> None:
    assignment = in_hand(wanda)
    run_out(assignment)
    fill_all_but(campaign, assignment)
    for name in ("bert", "cora"):
        record(in_hand(worker(campaign, name)).pk, ANSWER)
    assert record(assignment.pk, ANSWER) is Outcome.TOO_LATE
    judgment = Judgment.objects.get(assignment=assignment)
    assert judgment.late and judgment.place is None
    assert Judgment.objects.filter(place__stimulus=assignment.stimulus_id).count() == 2


@pytest.mark.django_db
def test_a_judgment_is_never_changed(wanda: Participation) -> None:
    record(in_hand(wanda).pk, ANSWER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Judgment.objects.update(late=True)
