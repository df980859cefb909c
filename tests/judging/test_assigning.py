import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign, Condition, Place
from judging.assigning import Turn, assign_next
from judging.leaving import complete, withdraw
from judging.models import Assignment, Judgment, Participation
from judging.recording import record
from tests.judging.building import live_campaign, worker

ANSWER = {"answer": "positive"}
State = Place.State


def held(turn: Turn) -> Assignment:
    assert turn.assignment
    return Assignment.objects.select_related("stimulus__condition", "place").get(pk=turn.assignment)


def answer(turn: Turn) -> Assignment:
    assignment = held(turn)
    record(assignment.pk, ANSWER)
    return assignment


def run_out(campaign: Campaign) -> None:
    past = timezone.now() - timedelta(seconds=1)
    campaign.places.filter(state=State.LEASED).update(leased_until=past)
    Assignment.objects.filter(judgment__isnull=True).update(deadline=past)


def judge_all(participation: Participation) -> list[Assignment]:
    given = []
    while (turn := assign_next(participation)).assignment:
        given.append(answer(turn))
    return given


@pytest.mark.django_db
def test_it_works(wanda: Participation) -> None:
    turn = assign_next(wanda)
    assignment = held(turn)
    assert turn.content == assignment.stimulus.content
    assert turn.done == 0 and not turn.waiting
    assert assignment.place and assignment.place.state == State.LEASED
    assert assignment.place.leased_until == assignment.deadline
    assert assignment.deadline - assignment.leased_at == timedelta(minutes=10)


@pytest.mark.django_db
def test_the_item_in_hand_is_returned_again(wanda: Participation) -> None:
    assert assign_next(wanda) == assign_next(wanda)
    assert Assignment.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_tabs_at_once_hold_one_item(wanda: Participation) -> None:
    def ask(_: int) -> int | None:
        try:
            return assign_next(wanda).assignment
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(16)))) == 1
    assert Place.objects.filter(state=State.LEASED).count() == 1


@pytest.mark.django_db
def test_a_worker_meets_every_text_once_and_no_text_twice(wanda: Participation) -> None:
    texts = [assignment.text_id for assignment in judge_all(wanda)]
    assert len(texts) == len(set(texts)) == 6


@pytest.mark.django_db
def test_practice_texts_are_never_given(campaign: Campaign, wanda: Participation) -> None:
    assert {assignment.stimulus.role for assignment in judge_all(wanda)} == {"item"}


@pytest.mark.django_db
def test_the_quota_ends_it(campaign: Campaign) -> None:
    wanda = worker(campaign, quota=2)
    assert len(judge_all(wanda)) == 2
    assert assign_next(wanda) == Turn(done=2)


@pytest.mark.django_db
def test_methods_and_ks_are_spread_evenly_over_a_worker(team: Team) -> None:
    campaign = live_campaign(team, texts=24, methods=("a", "b", "c", "d"), ks=(1, 2, 3))
    for name in ("wanda", "bert", "cora"):
        given = judge_all(worker(campaign, name, quota=12))
        methods = Counter(assignment.stimulus.condition.method for assignment in given)
        ks = Counter(assignment.stimulus.condition.k for assignment in given)
        assert set(methods.values()) == {3} and set(ks.values()) == {4}


@pytest.mark.django_db
def test_at_any_moment_a_workers_methods_differ_by_at_most_one(team: Team) -> None:
    given = judge_all(worker(live_campaign(team, texts=20, methods=("a", "b", "c"), ks=(1, 2)), quota=20))
    for count in range(1, len(given) + 1):
        methods = Counter(assignment.stimulus.condition.method for assignment in given[:count])
        spread = [methods[method] for method in ("a", "b", "c")]
        assert max(spread) - min(spread) <= 1


@pytest.mark.django_db
def test_the_least_filled_conditions_come_first(campaign: Campaign) -> None:
    for number in range(campaign.conditions.count()):
        answer(assign_next(worker(campaign, f"worker {number}")))
    filled = Judgment.objects.values_list("place__condition").annotate(n=Count("pk"))
    assert {count for _, count in filled} == {1} and len(filled) == 4


@pytest.mark.django_db
def test_every_stimulus_gets_its_first_judgment_before_any_gets_a_second(campaign: Campaign) -> None:
    for number in range(24):
        answer(assign_next(worker(campaign, f"worker {number}")))
    assert Counter(campaign.places.filter(state=State.FILLED).values_list("number", flat=True)) == {1: 24}


@pytest.mark.django_db
def test_a_place_whose_lease_ran_out_goes_to_somebody_else(team: Team) -> None:
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=1)
    first = assign_next(worker(campaign, "bert"))
    assert assign_next(worker(campaign, "cora")).waiting
    run_out(campaign)
    second = assign_next(worker(campaign, "dora"))
    assert second.assignment and second.content == first.content
    assert held(first).place is None


@pytest.mark.django_db
def test_a_lease_that_ran_out_is_renewed_for_who_still_looks_at_it(campaign: Campaign, wanda: Participation) -> None:
    turn = assign_next(wanda)
    run_out(campaign)
    assert assign_next(wanda) == turn
    assignment = held(turn)
    assert assignment.deadline > timezone.now()
    assert Place.objects.get(assignment=assignment).leased_until == assignment.deadline


@pytest.mark.django_db
def test_a_lost_item_is_renewed_from_another_place_of_its_stimulus(campaign: Campaign, wanda: Participation) -> None:
    turn = assign_next(wanda)
    run_out(campaign)
    lost = held(turn)
    campaign.places.exclude(stimulus=lost.stimulus_id).update(state=State.FILLED, leased_until=None)
    assign_next(worker(campaign, "bert"))
    assert assign_next(wanda) == turn
    assert held(turn).place_id != lost.place_id


@pytest.mark.django_db
def test_a_lost_item_without_a_free_place_makes_way_for_the_next(campaign: Campaign, wanda: Participation) -> None:
    turn = assign_next(wanda)
    lost = held(turn)
    Assignment.objects.filter(pk=lost.pk).update(place=None)
    campaign.places.filter(stimulus=lost.stimulus_id).update(state=State.FILLED, leased_until=None)
    following = assign_next(wanda)
    assert following.assignment and following.assignment != turn.assignment
    assert assign_next(wanda) == following


@pytest.mark.django_db
def test_there_is_no_more_only_when_there_truly_is_no_more(campaign: Campaign, wanda: Participation) -> None:
    campaign.places.update(state=State.FILLED)
    assert assign_next(wanda) == Turn(done=0)


@pytest.mark.django_db
def test_others_holding_the_last_places_is_a_wait_not_an_end(team: Team) -> None:
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=1)
    assign_next(worker(campaign, "bert"))
    assert assign_next(worker(campaign, "cora")) == Turn(done=0, waiting=True)


@pytest.mark.django_db
def test_open_places_of_texts_already_seen_are_no_reason_to_wait(team: Team) -> None:
    wanda = worker(live_campaign(team, texts=1))
    answer(assign_next(wanda))
    assert assign_next(wanda) == Turn(done=1)


@pytest.mark.django_db
@pytest.mark.parametrize("leave", [complete, withdraw])
def test_who_has_left_gets_nothing(wanda: Participation, leave: object) -> None:
    assert callable(leave)
    leave(wanda)
    assert assign_next(wanda).assignment is None


@pytest.mark.django_db
def test_another_campaigns_places_are_left_alone(team: Team, campaign: Campaign) -> None:
    other = live_campaign(team, slug="other")
    judge_all(worker(other))
    assert not campaign.places.exclude(state=State.OPEN).exists()


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_work_done(campaign: Campaign, wanda: Participation) -> None:
    counts = []
    for _ in range(5):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            turn = assign_next(wanda)
        counts.append(len(queries))
        answer(turn)
    assert set(counts) == {counts[0]} and counts[0] <= 6


@pytest.mark.django_db
def test_the_next_place_is_found_by_index(campaign: Campaign) -> None:
    """However many stimuli there are: one look-up a condition, no scan of the places and no sort of them."""
    condition = Condition.objects.filter(campaign=campaign).first()
    assert condition
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT number, rank FROM campaigns_place WHERE condition_id = %s AND state = 'open'"
            " AND list = 0 AND text_id <> ALL (%s::bigint[]) ORDER BY number, rank LIMIT 1",
            [condition.pk, [1, 2, 3]],
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "place_open" in plan and "Sort" not in plan


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_ask_for_the_last_places_of_one_stimulus(team: Team) -> None:
    """Exactly N leases, and a plain answer for everybody."""
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=3)
    workers = [worker(campaign, f"worker {number}") for number in range(50)]

    def ask(participation: Participation) -> Turn:
        try:
            return assign_next(participation)
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        turns = list(pool.map(ask, workers))
    assert sum(turn.assignment is not None for turn in turns) == 3
    assert sum(turn.waiting for turn in turns) == 47
    assert Assignment.objects.filter(place__isnull=False).count() == 3
    assert campaign.places.filter(state=State.LEASED).count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_crowd_that_comes_and_goes_fills_every_place_once(team: Team) -> None:
    campaign = live_campaign(team, texts=5, methods=("a", "b"), ks=(1, 2), judgments=3, practice=0)
    workers = [worker(campaign, f"worker {number}") for number in range(60)]

    def live(participation: Participation) -> None:
        fate = random.Random(participation.worker_hash)
        try:
            while (turn := assign_next(participation)).assignment:
                if fate.random() < 0.2:
                    return withdraw(participation) if fate.random() < 0.5 else None
                answer(turn)
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(live, workers))
    run_out(campaign)
    for number in range(60):
        judge_all(worker(campaign, f"late worker {number}"))
    assert set(campaign.places.exclude(state=State.VOID).values_list("state", flat=True)) == {State.FILLED}
    counting = Judgment.objects.filter(place__state=State.FILLED)
    counted = counting.values_list("place__stimulus").annotate(n=Count("pk"))
    assert {count for _, count in counted} == {3} and len(counted) == 20
    pairs = Assignment.objects.values_list("participation", "text").annotate(n=Count("pk"))
    assert {count for *_, count in pairs} == {1}
