from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.models import Assignment, Participation
from materials.models import Classifier, Dataset
from reports.watching import Arm, Cell, Watch, _pace, watch
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
State = Participation.State


def worker(
    campaign: Campaign, name: str, state: str, *, started: bool = True, minutes: int | None = None
) -> Participation:
    found = Participation.objects.create(
        campaign=campaign, worker_hash=name, named=True, quota=4, state=state,
        started_at=timezone.now() if started else None,
    )  # fmt: skip
    if minutes is not None:
        finished_at = found.arrived_at + timedelta(minutes=minutes)
        Participation.objects.filter(pk=found.pk).update(finished_at=finished_at)
    return found


def hold(participation: Participation, *, seconds: int) -> None:
    """A lease that ends so many seconds from now."""
    stimulus = participation.campaign.stimuli.first()
    assert stimulus is not None
    until = timezone.now() + timedelta(seconds=seconds)
    place = Place.objects.create(
        campaign=participation.campaign, stimulus=stimulus, condition=stimulus.condition, text=stimulus.text,
        number=50 + participation.pk, rank=0, state=Place.State.LEASED, leased_until=until,
    )  # fmt: skip
    Assignment.objects.create(
        participation=participation, stimulus=stimulus, text=stimulus.text, place=place,
        leased_at=timezone.now(), deadline=until,
    )  # fmt: skip


def test_it_works(team: Team) -> None:
    found = watch(judged_campaign(team))
    assert [arm.label for arm in found.arms] == ["Integrated gradients", "Random"]
    assert found.arms[0].cells == [Cell(5, 12, 12), Cell(10, 12, 12)]
    assert (found.done, found.wanted, found.late, found.not_counted) == (48, 48, 1, 1)
    assert found.percent == 100
    assert found.median_seconds == 4.0


def test_ratings_have_one_cell_an_arm(team: Team) -> None:
    assert watch(judged_campaign(team, protocol="rating")).arms[1].cells == [Cell(None, 12, 12)]


def test_workers_are_counted_by_what_they_do(team: Team) -> None:
    campaign = judged_campaign(team)
    campaign.participations.update(state=State.COMPLETED)
    before = watch(campaign)
    hold(worker(campaign, "busy", State.PRACTISED), seconds=60)
    hold(worker(campaign, "gone", State.PRACTISED), seconds=-60)
    worker(campaign, "left", State.RETURNED)
    worker(campaign, "no", State.DECLINED, started=False)
    worker(campaign, "reading", State.CONSENTED, started=False)
    after = watch(campaign)
    assert after.arrived - before.arrived == 5
    assert (after.at_work, after.dropped, after.declined) == (1, 2, 1)
    assert after.finished == before.finished == after.started - 3


def test_pay_is_implied_by_the_median_time_of_those_who_finished(team: Team, settings: LazySettings) -> None:
    campaign = judged_campaign(team)
    campaign.participations.update(state=State.RETURNED)
    for name, minutes in (("fast", 6), ("median", 10), ("slow", 300)):
        worker(campaign, name, State.COMPLETED, minutes=minutes)
    campaign.refresh_from_db()
    found = watch(campaign)
    assert found.median_minutes == pytest.approx(10)
    assert found.hourly_pay == pytest.approx(9.0)
    settings.MINIMUM_HOURLY_PAY = 8.0
    assert not watch(campaign).underpaid
    settings.MINIMUM_HOURLY_PAY = 9.5
    assert watch(campaign).underpaid


def test_nothing_is_timed_before_anybody_came(team: Team) -> None:
    campaign = Campaign.objects.get(pk=judged_campaign(team).pk)
    fresh = Campaign.objects.create(
        team=team, name="New", slug="new", protocol="topk_guess", dataset=campaign.dataset,
        classifier=campaign.classifier, methods=["random"], question="?", instructions="", consent="",
    )  # fmt: skip
    found = watch(fresh)
    assert (found.median_seconds, found.median_minutes, found.hourly_pay, found.underpaid) == (None, None, None, False)
    assert found.arms == [] and found.done == found.wanted == found.percent == 0


def test_the_number_of_queries_is_constant(team: Team) -> None:
    campaign = judged_campaign(team)
    with CaptureQueriesContext(connection) as queries:
        watch(campaign)
    assert len(queries) == 8


def test_simulated_workers_are_not_counted_as_paid_people(team: Team) -> None:
    campaign = judged_campaign(team)
    assert watch(campaign).hourly_pay is not None
    campaign.participations.update(parameters={"simulated": "1"})
    watched = watch(campaign)
    assert (watched.hourly_pay, watched.median_minutes, watched.underpaid) == (None, None, False)
    assert watched.finished > 0


def conditions(campaign: Campaign, *rows: tuple[str, str, int | None, str]) -> Campaign:
    for position, (method, other, k, display) in enumerate(rows):
        campaign.conditions.create(method=method, other=other, k=k, display=display, position=position)
    return campaign


def bare(team: Team, **fields: Any) -> Campaign:
    return Campaign.objects.create(
        team=team, name="New", slug="new", question="?", instructions="", consent="",
        dataset=Dataset.objects.create(team=team, name="D", slug="d"),
        classifier=Classifier.objects.create(team=team, name="C", slug="c", source="c"),
        **{"protocol": "pairwise", "methods": ["lime", "random"], **fields},
    )  # fmt: skip


def test_a_pair_is_one_arm(team: Team) -> None:
    campaign = conditions(bare(team), ("gradient", "lime", None, "bars"), ("gradient", "random", None, "bars"))
    watched = watch(campaign)
    assert [arm.label for arm in watched.arms] == ["Gradient against LIME", "Gradient against Random"]
    assert watched.ks == [None] and all(len(arm.cells) == 1 for arm in watched.arms)


def test_displays_are_told_apart_where_there_are_several(team: Team) -> None:
    rows = [("no_explanation", "", None, ""), ("lime", "", None, "colour"), ("lime", "", None, "bars")]
    watched = watch(conditions(bare(team, protocol="rating"), *rows))
    assert [arm.label for arm in watched.arms] == ["No explanation", "LIME, colour", "LIME, bars under words"]


def test_a_baseline_without_k_has_a_column_of_its_own(team: Team) -> None:
    rows = [("full_text", "", None, ""), ("lime", "", 2, ""), ("lime", "", 5, "")]
    watched = watch(conditions(bare(team, protocol="topk_guess"), *rows))
    assert watched.ks == [2, 5, None]
    assert [[cell and cell.k for cell in cells] for _, cells in watched.rows] == [[None, None, None], [2, 5, None]]
    assert watched.rows[0][1][2] == Cell(None, 0, 0) and watched.rows[1][1][2] is None


def test_workers_are_counted_by_arm_where_they_stay_with_one(team: Team) -> None:
    campaign = bare(team, protocol="forward_simulation", allocation=Campaign.Allocation.BETWEEN)
    conditions(campaign, ("no_explanation", "", None, ""), ("lime", "", None, "colour"))
    for name in ("one", "two"):
        started = worker(campaign, name, State.PRACTISED)
        Participation.objects.filter(pk=started.pk).update(arm="lime||colour")
    worker(campaign, "reading", State.CONSENTED, started=False)
    assert [arm.workers for arm in watch(campaign).arms] == [0, 2]
    assert watch(campaign).between and not watch(judged_campaign(team)).between


def test_the_pace_is_that_of_the_latest_judgments(team: Team) -> None:
    now = timezone.now()
    assert _pace(30, now - timedelta(minutes=30)) == pytest.approx(60, rel=0.01)
    assert _pace(30, now) is None and _pace(0, None) is None
    assert watch(judged_campaign(team)).hours_left is None


@pytest.mark.parametrize(
    ("done", "pace", "said"),
    [(40, 120.0, "30 minutes"), (0, 50.0, "2 hours"), (99, 6000.0, "1 minute"), (0, 2.0, "2 days"), (100, 10.0, "")],
)
def test_the_time_left_is_said_as_people_say_it(done: int, pace: float, said: str) -> None:
    arms = [Arm("A", [Cell(None, done, 100)])]
    numbers = dict.fromkeys(
        ["late", "not_counted", "arrived", "declined", "started", "at_work", "finished", "dropped", "simulated"], 0
    )
    found = Watch(
        arms,
        done,
        100,
        **numbers,
        median_seconds=None,
        pace=pace,
        median_minutes=None,
        hourly_pay=None,
        underpaid=False,
    )
    assert (found.hours_left is None) == (said == "") and (not said or found.time_left == said)
