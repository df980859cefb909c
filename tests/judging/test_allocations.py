"""Whatever the crowd does: no text twice, never more than N that count, everything reachable gets done, and evenly."""

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.leaving import withdraw
from judging.models import Assignment, Participation
from judging.starting import agree, start
from tests.judging.building import live_campaign, worker
from tests.judging.crowds import Crowd, faults, unfilled

State = Participation.State
ALLOCATIONS = ["least_filled", "latin_square", "between"]
each_allocation = pytest.mark.parametrize("allocation", ALLOCATIONS)


def design(team: Team, allocation: str, **fields: object) -> Campaign:
    """2 methods x 2 ks x 8 texts, 2 judgments each: 64 in all."""
    return live_campaign(team, allocation=allocation, texts=8, practice=0, **(fields or {}))  # type: ignore[arg-type]


@pytest.mark.django_db
@each_allocation
def test_500_random_events_break_nothing_and_leave_nothing_undone(team: Team, allocation: str) -> None:
    campaign = design(team, allocation, most_per_worker=6)
    crowd = Crowd(campaign, seed=ALLOCATIONS.index(allocation))
    for event in range(500):
        crowd.live()
        if event % 50 == 0:
            assert list(faults(campaign)) == []
    crowd.finish()
    assert list(faults(campaign)) == []
    assert not unfilled(campaign)
    filled = campaign.places.filter(state=Place.State.FILLED).values_list("condition", flat=True)
    assert set(Counter(filled).values()) == {16}
    assert campaign.places.filter(state=Place.State.VOID).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("allocation", ["latin_square", "between"])
def test_workers_are_spread_evenly_at_any_moment(team: Team, allocation: str) -> None:
    campaign = design(team, allocation)
    crowd = Crowd(campaign, seed=1)
    for arrived in range(1, 9):
        someone = crowd.arrive()
        while crowd.answer(someone):
            pass
        groups = Counter(campaign.participations.values_list("arm", "list"))
        expected = 2 if allocation == "between" else 4
        assert len(groups) == min(arrived, expected)
        assert max(groups.values()) - min(groups.values()) <= 1
    assert not unfilled(campaign)


@pytest.mark.django_db
def test_a_worker_on_a_list_meets_all_conditions_equally_often_and_with_each_label(team: Team) -> None:
    crowd = Crowd(design(team, "latin_square"), seed=1)
    someone = crowd.arrive()
    while crowd.answer(someone):
        pass
    met = Counter(Assignment.objects.values_list("stimulus__condition", "text__label"))
    assert set(met.values()) == {1} and len(met) == 4 * 2


@pytest.mark.django_db
def test_a_worker_of_an_arm_meets_one_method_with_every_k(team: Team) -> None:
    crowd = Crowd(design(team, "between"), seed=1)
    for _ in range(2):
        someone = crowd.arrive()
        while crowd.answer(someone):
            pass
    met: dict[int, Counter[tuple[str, int | None]]] = defaultdict(Counter)
    for row in Assignment.objects.select_related("stimulus__condition"):
        met[row.participation_id][row.stimulus.condition.method, row.stimulus.condition.k] += 1
    assert sorted(sorted({method for method, _ in one}) for one in met.values()) == [["gradient"], ["random"]]
    assert all(set(one.values()) == {4} for one in met.values())


@pytest.mark.django_db
def test_whoever_dropped_out_makes_room_on_the_list(team: Team) -> None:
    campaign = design(team, "latin_square")
    crowd = Crowd(campaign, seed=1)
    workers = [crowd.arrive() for _ in range(4)]
    gone = workers[2]
    crowd.answer(gone)
    withdraw(gone)
    assert crowd.arrive().list == gone.list


@pytest.mark.django_db(transaction=True)
@each_allocation
def test_a_crowd_at_once_fills_the_last_places_exactly(team: Team, allocation: str) -> None:
    campaign = live_campaign(team, allocation=allocation, texts=4, judgments=2, practice=0)
    workers = [worker(campaign, f"worker {at}", state=State.ARRIVED) for at in range(16)]
    crowd = Crowd(campaign, seed=0)

    def live(someone: Participation) -> None:
        try:
            agree(someone)
            start(someone)
            while crowd.answer(someone):
                pass
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(live, workers))
    assert list(faults(campaign)) == []
    crowd.count = 100
    crowd.finish()
    assert list(faults(campaign)) == [] and not unfilled(campaign)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("allocation", ["latin_square", "between"])
def test_those_who_agree_at_once_are_spread_all_the_same(team: Team, allocation: str) -> None:
    campaign = design(team, allocation)
    workers = [worker(campaign, f"worker {at}", state=State.ARRIVED) for at in range(8)]

    def consent(someone: Participation) -> tuple[str, int | None]:
        try:
            agree(someone)
            return someone.arm, someone.list
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        groups = Counter(pool.map(consent, workers))
    assert set(groups.values()) == ({4} if allocation == "between" else {2})


@pytest.mark.django_db(transaction=True)
def test_a_person_with_tabs_in_two_campaigns_meets_no_text_twice(team: Team) -> None:
    first = live_campaign(team, slug="first", texts=12, once_per_dataset=True, practice=0)
    second = live_campaign(team, slug="second", texts=12, once_per_dataset=True, practice=0, beside=first)
    tabs = [worker(one, person_hash="the same") for one in (first, second)]
    crowds = [Crowd(one, seed=0) for one in (first, second)]

    def work(at: int) -> None:
        try:
            while crowds[at].answer(tabs[at]):
                pass
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    texts = list(Assignment.objects.values_list("text", flat=True))
    assert len(texts) == len(set(texts)) == 12
    assert set(Assignment.objects.values_list("person_hash", flat=True)) == {"the same"}
    assert assign_next(tabs[0]).assignment is None
