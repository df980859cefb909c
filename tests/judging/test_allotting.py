import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.allotting import Group, by_load, groups
from judging.excluding import exclude
from judging.leaving import complete, time_out, withdraw
from judging.models import Participation
from judging.starting import agree
from tests.judging.building import live_campaign, worker

State = Participation.State


def arrival(campaign: Campaign, name: str) -> Participation:
    someone = worker(campaign, name, state=State.ARRIVED, quota=6)
    agree(someone)
    return someone


def loads(campaign: Campaign) -> dict[str, int]:
    return {group.arm.strip("|"): group.load for group in groups(campaign)}


@pytest.fixture
def between(team: Team) -> Campaign:
    return live_campaign(team, allocation="between")


@pytest.mark.django_db
def test_it_works(between: Campaign) -> None:
    arms = [arrival(between, f"worker {at}").arm for at in range(4)]
    assert sorted(arms) == ["gradient||", "gradient||", "random||", "random||"]
    assert loads(between) == {"gradient": 12, "random": 12}


@pytest.mark.django_db
def test_where_everybody_meets_everything_there_is_nothing_to_settle(campaign: Campaign) -> None:
    someone = arrival(campaign, "wanda")
    assert (someone.arm, someone.list) == ("", None)


@pytest.mark.django_db
def test_the_arm_stays_when_somebody_comes_back(between: Campaign) -> None:
    someone = arrival(between, "wanda")
    arm = someone.arm
    withdraw(someone)
    for at in range(3):
        arrival(between, f"worker {at}")
    agree(someone)
    assert someone.arm == arm


@pytest.mark.django_db
@pytest.mark.parametrize("end", [withdraw, time_out, lambda someone: exclude(someone, "")])
def test_nobody_who_does_not_count_is_balanced_against(between: Campaign, end: object) -> None:
    assert callable(end)
    gone = arrival(between, "wanda")
    end(gone)
    assert set(loads(between).values()) == {0}


@pytest.mark.django_db
def test_whoever_has_finished_weighs_what_they_did(between: Campaign) -> None:
    someone = arrival(between, "wanda")
    Participation.objects.update(state=State.PRACTISED)
    complete(someone)
    assert set(loads(between).values()) == {0}


def test_a_larger_arm_takes_more() -> None:
    one, two = Group("no_explanation", None, 1, 10), Group("gradient", None, 2, 18)
    assert by_load([one, two], "any") == [two, one]


def test_the_order_of_equals_is_the_workers_own() -> None:
    arms = [Group(name, None, 1, 0) for name in "abc"]
    assert {by_load(arms, f"allot {worker}")[0].arm for worker in range(30)} == {"a", "b", "c"}
    assert by_load(arms, "allot 1") == by_load(arms, "allot 1")


@pytest.mark.django_db
def test_a_full_arm_is_passed_over(between: Campaign) -> None:
    Place.objects.filter(condition__method="gradient").update(state=Place.State.FILLED)
    assert {arrival(between, f"worker {at}").arm for at in range(3)} == {"random||"}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_crowd(between: Campaign) -> None:
    counts = []
    for at in range(4):
        someone = worker(between, f"worker {at}", state=State.ARRIVED, quota=1)
        with CaptureQueriesContext(connection) as queries:
            agree(someone)
        counts.append(len(queries))
    assert len(set(counts)) == 1
