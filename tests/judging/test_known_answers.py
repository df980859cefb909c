"""Items with a known answer come between the others, and count for nothing there."""

import pytest
from django.db import connection

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.assigning import Turn, assign_next, gold_positions
from judging.models import Assignment, Participation
from judging.recording import Outcome, record
from tests.judging.building import live_campaign, worker


def with_gold(team: Team, **fields: object) -> Campaign:
    return live_campaign(team, texts=8, gold=3, gold_items=2, **fields)  # type: ignore[arg-type]


def walk(participation: Participation) -> list[Turn]:
    turns = []
    while (turn := assign_next(participation)).assignment:
        assert record(turn.assignment, {"answer": "positive"}) == Outcome.SAVED
        turns.append(turn)
    return turns


@pytest.mark.django_db
def test_it_works(team: Team) -> None:
    wanda = worker(with_gold(team), quota=6)
    turns = walk(wanda)
    assert [turn.gold for turn in turns].count(True) == 2 and len(turns) == 8
    assert [turn.number for turn in turns] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert assign_next(wanda) == Turn(done=6, known=2)
    roles = [one.stimulus.role for one in Assignment.objects.order_by("pk")]
    assert [role == "gold" for role in roles] == [turn.gold for turn in turns]


@pytest.mark.django_db
def test_they_come_where_the_workers_own_draw_says(team: Team) -> None:
    wanda = worker(with_gold(team), quota=6)
    before = [turn.done for turn in walk(wanda) if turn.gold]
    assert before == gold_positions(wanda.pk, 6, 2)


def test_they_are_spread_over_the_quota_and_never_first() -> None:
    for participation in range(200):
        first, second, third = gold_positions(participation, 30, 3)
        assert 1 <= first < 10 <= second < 20 <= third < 30
    assert len({tuple(gold_positions(participation, 30, 3)) for participation in range(200)}) > 100
    assert gold_positions(7, 1, 2) == [1, 1]


@pytest.mark.django_db
def test_they_hold_no_place_and_fill_none(team: Team) -> None:
    campaign = with_gold(team)
    walk(worker(campaign, quota=6))
    assert not Assignment.objects.filter(stimulus__role="gold", place__isnull=False).exists()
    assert campaign.places.filter(state=Place.State.FILLED).count() == 6


@pytest.mark.django_db
def test_one_in_hand_is_returned_again_however_late(team: Team) -> None:
    wanda = worker(with_gold(team), quota=6)
    while not (turn := assign_next(wanda)).gold:
        assert turn.assignment
        record(turn.assignment, {"answer": "positive"})
    wanda.assignments.filter(judgment=None).update(deadline="2026-01-01T00:00Z")
    assert assign_next(wanda).assignment == turn.assignment and assign_next(wanda).gold
    assert turn.assignment and record(turn.assignment, {"answer": "positive"}) == Outcome.LATE


@pytest.mark.django_db
def test_workers_meet_them_in_orders_of_their_own(team: Team) -> None:
    campaign = with_gold(team)
    chosen = set()
    for at in range(8):
        someone = worker(campaign, f"worker {at}", quota=4)
        walk(someone)
        gold = someone.assignments.filter(stimulus__role="gold").order_by("pk")
        chosen.add(tuple(gold.values_list("text", flat=True)))
    assert len(chosen) > 2 and all(len(set(pair)) == 2 for pair in chosen)


@pytest.mark.django_db
def test_where_there_are_fewer_than_wanted_the_work_goes_on(team: Team) -> None:
    turns = walk(worker(live_campaign(team, gold=1, gold_items=3), quota=6))
    assert [turn.gold for turn in turns].count(True) == 1 and len(turns) == 7


@pytest.mark.django_db
def test_they_are_found_by_an_index_of_their_own(team: Team) -> None:
    """Among 200,000 stimuli, too."""
    campaign = live_campaign(team, texts=300, gold=2, examples=1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE campaigns_stimulus; SET LOCAL enable_seqscan = off")
        for role in ("gold", "practice", "example"):
            cursor.execute(
                "EXPLAIN SELECT id FROM campaigns_stimulus WHERE campaign_id = %s AND role = %s ORDER BY position",
                [campaign.pk, role],
            )
            assert "stimulus_besides_items" in "".join(row[0] for row in cursor.fetchall())
