"""How a campaign goes right now: a constant number of queries, however large it is."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Aggregate, Count, DurationField, Exists, F, FloatField, Min, OuterRef, Q
from django.utils import timezone

from campaigns.models import Campaign, Condition, Place, SampledText
from judging.models import Assignment, Judgment, Participation
from materials.counting import counted
from recruitment.linking import SIMULATED
from reports.palette import display_label, method_label

State = Participation.State
# Judgments that the median time is taken over: how it goes now, not how it went on the first day.
RECENT = 1000
SHORTEST_PACE_SECONDS = 60
# Longer than this is told in days.
DAYS_FROM = 36
# Pages ask every five seconds, each of them: what is counted over all places is counted once for all.
COUNTED_SECONDS = 4
MANY = 20_000


class Median(Aggregate):
    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"


@dataclass(frozen=True)
class Cell:
    """Judgments in and judgments wanted of one arm at one k."""

    k: int | None
    done: int
    wanted: int


@dataclass(frozen=True)
class Arm:
    """A method, a pair of them or a baseline, under one display. `workers` is None where they meet several arms."""

    label: str
    cells: list[Cell]
    workers: int | None = None

    @property
    def done(self) -> int:
        return sum(cell.done for cell in self.cells)

    @property
    def wanted(self) -> int:
        return sum(cell.wanted for cell in self.cells)

    def beside(self, ks: Sequence[int | None]) -> list[Cell | None]:
        """A cell for each k; a baseline has none where methods have ks, and they have none where it stands."""
        by_k = {cell.k: cell for cell in self.cells}
        return [by_k.get(k) for k in ks]


@dataclass(frozen=True)
class Watch:
    """What the live page shows. Times are None where nothing was timed yet."""

    arms: list[Arm]
    done: int
    wanted: int
    late: int
    not_counted: int
    arrived: int
    declined: int
    started: int
    at_work: int
    finished: int
    dropped: int
    simulated: int
    median_seconds: float | None
    pace: float | None
    median_minutes: float | None
    hourly_pay: float | None
    underpaid: bool

    @property
    def ks(self) -> list[int | None]:
        """The columns; what shows everything comes last."""
        found = {cell.k for arm in self.arms for cell in arm.cells}
        return sorted(found, key=lambda k: (k is None, k))

    @property
    def rows(self) -> list[tuple[Arm, list[Cell | None]]]:
        return [(arm, arm.beside(self.ks)) for arm in self.arms]

    @property
    def between(self) -> bool:
        return any(arm.workers is not None for arm in self.arms)

    @property
    def hours_left(self) -> float | None:
        """At the pace of the latest judgments."""
        return (self.wanted - self.done) / self.pace if self.pace and self.done < self.wanted else None

    @property
    def time_left(self) -> str:
        hours = self.hours_left or 0
        if hours >= DAYS_FROM:
            return counted(round(hours / 24), "day")
        return counted(round(hours), "hour") if hours >= 1.5 else counted(max(1, round(hours * 60)), "minute")

    @property
    def percent(self) -> int:
        """Rounded down: 100 only when all are in."""
        return 100 * self.done // self.wanted if self.wanted else 0


def watch(campaign: Campaign) -> Watch:
    arms = _arms(campaign)
    workers, judgments = _workers(campaign), _judgments(campaign)
    minutes = workers["duration"].total_seconds() / 60 if workers["duration"] else None
    hourly = float(campaign.pay_per_worker) * 60 / minutes if minutes else None
    return Watch(
        arms=arms,
        done=sum(arm.done for arm in arms),
        wanted=sum(arm.wanted for arm in arms),
        late=judgments["late_ones"],
        not_counted=judgments["not_counted"],
        arrived=workers["arrived"],
        declined=workers["declined"],
        started=workers["started"],
        at_work=workers["at_work"],
        finished=workers["finished"],
        dropped=workers["started"] - workers["at_work"] - workers["finished"],
        simulated=workers["simulated"],
        pace=_pace(judgments["recent"], judgments["since"]),
        median_seconds=None if judgments["median_ms"] is None else judgments["median_ms"] / 1000,
        median_minutes=minutes,
        hourly_pay=hourly,
        underpaid=hourly is not None and hourly < settings.MINIMUM_HOURLY_PAY,
    )


def _arms(campaign: Campaign) -> list[Arm]:
    done = _filled(campaign)
    items = campaign.sample.filter(role=SampledText.Role.ITEM).count()
    cells: dict[str, list[Cell]] = defaultdict(list)
    named: dict[str, Condition] = {}
    for condition in campaign.conditions.all():
        wanted = items * campaign.judgments_per_stimulus
        cells[condition.arm].append(Cell(condition.k, done.get(condition.pk, 0), wanted))
        named.setdefault(condition.arm, condition)
    several = len({one.display for one in named.values() if one.display}) > 1
    workers = _workers_by_arm(campaign)
    return [
        Arm(_label(named[arm], several), found, None if workers is None else workers.get(arm, 0))
        for arm, found in cells.items()
    ]


def _filled(campaign: Campaign) -> dict[int, int]:
    """By condition. A million judgments take some tenths of a second."""
    key = f"watch:filled:{campaign.pk}:{campaign.created_at.timestamp()}"
    found: dict[int, int] | None = cache.get(key)
    if found is None:
        filled = Place.objects.filter(campaign=campaign, state=Place.State.FILLED)
        found = dict(filled.values_list("condition").annotate(n=Count("*")).order_by())
        if sum(found.values()) >= MANY:
            cache.set(key, found, COUNTED_SECONDS)
    return found


def _label(condition: Condition, several: bool) -> str:
    """`several` displays are told apart."""
    methods = " against ".join(method_label(one) for one in (condition.method, condition.other) if one)
    return f"{methods}, {display_label(condition.display).lower()}" if several and condition.display else methods


def _workers_by_arm(campaign: Campaign) -> dict[str, int] | None:
    """Of those who started; None where workers meet several arms."""
    if campaign.allocation != Campaign.Allocation.BETWEEN:
        return None
    started = campaign.participations.filter(started_at__isnull=False)
    return dict(started.values_list("arm").annotate(n=Count("pk")).order_by())


def _workers(campaign: Campaign) -> dict[str, Any]:
    """Started workers who neither finished nor hold an item in time have dropped out, for now at least."""
    held = Assignment.objects.filter(
        participation=OuterRef("pk"), place__state=Place.State.LEASED, place__leased_until__gt=timezone.now()
    )
    finished = Q(state=State.COMPLETED)
    # Simulated workers are no people: their minutes would make the pay of people look better than it is.
    people = finished & ~Q(parameters__has_key=SIMULATED)
    found: dict[str, Any] = (
        Participation.objects.filter(campaign=campaign)
        .annotate(holds=Exists(held))
        .aggregate(
            arrived=Count("pk"),
            declined=Count("pk", filter=Q(state=State.DECLINED)),
            started=Count("pk", filter=Q(started_at__isnull=False)),
            finished=Count("pk", filter=finished),
            simulated=Count("pk", filter=Q(parameters__has_key=SIMULATED)),
            at_work=Count("pk", filter=Q(state=State.PRACTISED, started_at__isnull=False, holds=True)),
            duration=Median(F("finished_at") - F("arrived_at"), filter=people, output_field=DurationField()),
        )
    )
    return found


def _judgments(campaign: Campaign) -> dict[str, Any]:
    """Four small queries, each on an index or on few rows: one over all judgments would take a second for 400,000."""
    items = Judgment.objects.filter(
        assignment__participation__campaign=campaign, assignment__stimulus__role=SampledText.Role.ITEM
    )
    recent = items.order_by("-pk").values("response_ms", "received_at")[:RECENT]
    void = Place.objects.filter(campaign=campaign, state=Place.State.VOID)
    return {
        "late_ones": items.filter(late=True).count(),
        "not_counted": items.filter(place__isnull=True).count() + void.count(),
        **recent.aggregate(
            median_ms=Median("response_ms", output_field=FloatField()), recent=Count("*"), since=Min("received_at")
        ),
    }


def _pace(judgments: int, since: datetime | None) -> float | None:
    """Judgments an hour, from the first of the latest until now; None where that is too short to tell."""
    seconds = (timezone.now() - since).total_seconds() if since else 0
    return judgments * 3600 / seconds if seconds >= SHORTEST_PACE_SECONDS else None
