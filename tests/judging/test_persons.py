"""One person in several campaigns of a dataset: known again only where the campaigns say so."""

import pytest

from accounts.models import Team
from campaigns.models import Campaign
from judging.arriving import arrive
from judging.assigning import assign_next
from judging.models import Assignment, Participation
from judging.recording import record
from tests.judging.building import live_campaign

pytestmark = pytest.mark.django_db


def come(campaign: Campaign, name: str = "wanda") -> Participation:
    participation = arrive(campaign, {"PROLIFIC_PID": name} if name else {})
    assert participation
    participation.state = Participation.State.PRACTISED
    participation.save()
    return participation


def judge(participation: Participation, most: int = 100) -> set[int]:
    """The texts that were judged."""
    met: set[int] = set()
    while len(met) < most and (turn := assign_next(participation)).assignment:
        record(turn.assignment, {"answer": "positive"})
        text = Assignment.objects.get(pk=turn.assignment).text_id
        assert text is not None
        met.add(text)
    return met


def two(team: Team, first: bool = True, second: bool = True) -> tuple[Campaign, Campaign]:
    one = live_campaign(team, slug="one", once_per_dataset=first)
    return one, live_campaign(team, slug="two", once_per_dataset=second, beside=one)


def test_it_works(team: Team) -> None:
    one, other = two(team)
    first, second = come(one), come(other)
    assert first.person_hash == second.person_hash != first.worker_hash
    met, others = judge(first, most=4), judge(second)
    assert (len(met), len(others), met & others) == (4, 2, set())
    assert not assign_next(second).assignment


def test_somebody_else_meets_all(team: Team) -> None:
    one, other = two(team)
    judge(come(one))
    assert len(judge(come(other, "bert"))) == 6


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (False, False)])
def test_only_campaigns_that_say_so_know_each_other(team: Team, first: bool, second: bool) -> None:
    one, other = two(team, first, second)
    assert len(judge(come(one))) == len(judge(come(other))) == 6
    hashes = Participation.objects.values_list("person_hash", flat=True)
    assert [bool(one) for one in hashes.order_by("pk")] == [first, second]
    assert Assignment.objects.filter(person_hash__isnull=True).count() == 6 * [first, second].count(False)


def test_another_dataset_knows_nobody(team: Team) -> None:
    one, other = (live_campaign(team, slug=slug, once_per_dataset=True) for slug in ("one", "two"))
    assert come(one).person_hash != come(other).person_hash


def test_whom_nobody_names_is_nobody_again(team: Team) -> None:
    one, other = two(team)
    first, second = come(one, ""), come(other, "")
    assert first.person_hash == second.person_hash == ""
    assert len(judge(first)) == len(judge(second)) == 6
