"""An answer and the next item on one trip: as quick as it is right when two act at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging import advancing, leasing, recording
from judging.advancing import KEEP_AND_TAKE, advance
from judging.assigning import Turn, assign_next
from judging.excluding import exclude
from judging.finding import find
from judging.models import Assignment, Judgment, Participation
from judging.recording import UNTOLD, Outcome
from judging.standing import STOOD
from judging.statements import Statement
from tests.judging.building import live_campaign, worker

ANSWER = {"answer": "positive"}


def found(participation: Participation, assignment: int | None) -> Participation:
    """As at a request that answers it."""
    again = find(participation.campaign.slug, participation.pk, assignment or 0)
    assert again is not None and again.asked is not None
    return again


def go_on(participation: Participation, assignment: int | None) -> tuple[Outcome, Turn | None]:
    again = found(participation, assignment)
    assert again.asked is not None
    return advance(again, again.asked, ANSWER, UNTOLD)


@contextmanager
def statements() -> Iterator[list[str]]:
    """What was sent to the database; planning and sweeping, which are not of every request, left out."""
    sent: list[str] = []
    with CaptureQueriesContext(connection) as queries:
        yield sent
    sent += [
        query["sql"]
        for query in queries.captured_queries
        if "PREPARE" not in query["sql"] and "expired" not in query["sql"]
    ]


@pytest.mark.django_db
def test_it_works(wanda: Participation) -> None:
    first = assign_next(wanda)
    outcome, turn = go_on(wanda, first.assignment)
    assert outcome == Outcome.SAVED and turn is not None and turn.number == 2
    assert turn.assignment != first.assignment and turn == assign_next(wanda)
    assert Judgment.objects.count() == 1
    assert set(Place.objects.exclude(state="open").values_list("state", flat=True)) == {"filled", "leased"}


@pytest.mark.django_db
def test_a_judgment_is_two_trips_to_the_database(team: Team) -> None:
    wanda = worker(live_campaign(team, design_hash="launched"))
    go_on(wanda, assign_next(wanda).assignment)  # Looks up the campaign, once a process.
    second = assign_next(wanda)
    with statements() as sent:
        go_on(wanda, second.assignment)
    assert len(sent) == 2


@pytest.mark.django_db
def test_a_whole_session_is_the_same_as_by_single_steps(team: Team) -> None:
    """With blocks, items with a known answer and a quota."""
    design: dict[str, Any] = {"texts": 8, "gold": 2, "gold_items": 2, "block_size": 3}
    campaign = live_campaign(team, **design)
    quick, slow = worker(campaign, "quick", quota=6), worker(campaign, "slow", quota=6)
    turn = assign_next(quick)
    taken = 0
    while turn.assignment:
        _, following = go_on(quick, turn.assignment)
        taken += following is not None
        turn = following or assign_next(quick)
    while (step := assign_next(slow)).assignment:
        recording.record(step.assignment, ANSWER)
    assert (turn.done, turn.known) == (step.done, step.known) == (6, 2)
    assert taken > 0 and len(set(quick.assignments.values_list("text", flat=True))) == 8


@pytest.mark.django_db
def test_where_something_else_comes_next_nothing_is_taken(team: Team) -> None:
    pausing = worker(live_campaign(team, slug="blocks", block_size=1))
    assert go_on(pausing, assign_next(pausing).assignment) == (Outcome.SAVED, None)
    last = worker(live_campaign(team, slug="last"), quota=1)
    assert go_on(last, assign_next(last).assignment) == (Outcome.SAVED, None)
    assert not Assignment.objects.filter(judgment=None).exists()


@pytest.mark.django_db
def test_the_conditions_are_evened_out_by_the_item_just_answered(team: Team) -> None:
    wanda = worker(live_campaign(team, texts=12, methods=("gradient", "lime", "random"), ks=(3,)))
    turn: Turn | None = assign_next(wanda)
    for _ in range(8):
        assert turn is not None
        _, turn = go_on(wanda, turn.assignment)
    methods = list(wanda.assignments.order_by("pk").values_list("stimulus__condition__method", flat=True))
    assert [len(set(methods[at : at + 3])) for at in (0, 3, 6)] == [3, 3, 3]


@pytest.mark.django_db(transaction=True)
def test_of_many_clicks_at_once_one_is_kept_and_one_goes_on(wanda: Participation) -> None:
    first = assign_next(wanda).assignment

    def click(_: int) -> tuple[Outcome, Turn | None]:
        try:
            return go_on(wanda, first)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        ends = list(pool.map(click, range(16)))
    assert sorted(outcome.name for outcome, _ in ends).count("SAVED") == 1
    assert len([turn for _, turn in ends if turn]) == 1
    assert Judgment.objects.count() == 1 and wanda.assignments.count() == 2


@pytest.mark.django_db
def test_the_answer_is_kept_where_others_were_quicker_with_the_next(
    wanda: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Contended(Statement):
        def __init__(self) -> None:
            pass

        def one(self, *_: Any, **__: Any) -> None:
            raise IntegrityError

    first = assign_next(wanda).assignment
    monkeypatch.setattr(advancing, "KEEP_AND_TAKE", Contended())
    assert go_on(wanda, first) == (Outcome.SAVED, None)
    assert assign_next(wanda).number == 2


@pytest.mark.django_db
def test_whoever_is_excluded_meanwhile_is_given_nothing_more(wanda: Participation) -> None:
    again = found(wanda, assign_next(wanda).assignment)
    exclude(wanda, "too fast")
    assert again.asked is not None
    outcome, turn = advance(again, again.asked, ANSWER, UNTOLD)
    assert turn is None and outcome in (Outcome.LATE, Outcome.SAVED)
    assert not Place.objects.filter(state__in=["filled", "leased"]).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("statement", [KEEP_AND_TAKE, STOOD, leasing.TAKE, recording.KEEP])
def test_no_table_is_read_from_end_to_end(campaign: Campaign, statement: Statement) -> None:
    """Whatever the planner knows of the tables, which hold nothing yet when it is first asked."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute(statement.prepare.replace(statement.name, "looked_at"))
        nothing = ", ".join("NULL" for _ in statement.types)
        cursor.execute(f"EXPLAIN EXECUTE looked_at ({nothing})")
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("DEALLOCATE looked_at")
    assert "Seq Scan" not in plan and "Index" in plan
