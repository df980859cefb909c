"""Which stimulus a worker judges next.

We look where the worker stands, and take a place if that is still so under the worker's lock: of two tabs one leases,
and the other looks again. Places are found by index and locked with SKIP LOCKED, so nobody waits for anybody; "at most
N judgments" and "no text twice" are the database's own constraints, which have the last word. Which places a worker may
take at all, the arm or the list says that the worker was put on (`allotting`).
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from campaigns.models import Campaign, Place, SampledText
from judging import leasing
from judging.leasing import Lease, Reach, open_place
from judging.models import Assignment, Judgment, Participation
from judging.statements import Statement

ATTEMPTS = 8
FIRST_PAUSE = 0.005  # seconds, doubled each time: others hold their locks for milliseconds


# Single look-ups instead of joins, here and in the sweep: in a campaign of 200,000 stimuli a planner that has seen few
# assignments yet would scan all stimuli to join them. LIMIT keeps it from making a join of this one.
GIVEN = Statement(
    "given",
    """
SELECT participation.state, participation.quota, participation.excluded_at IS NOT NULL, given.*
FROM judging_participation participation LEFT JOIN LATERAL (
    SELECT assignment.id, assignment.text_id, stimulus.condition_id, stimulus.role,
        EXISTS (SELECT FROM judging_judgment judgment WHERE judgment.assignment_id = assignment.id),
        assignment.warned = 'skipped'
    FROM judging_assignment assignment
    CROSS JOIN LATERAL (
        SELECT condition_id, role FROM campaigns_stimulus WHERE id = assignment.stimulus_id LIMIT 1
    ) stimulus
    WHERE assignment.participation_id = participation.id ORDER BY assignment.id
) given ON TRUE
WHERE participation.id = %(participation)s
""",
    participation="bigint",
)


@dataclass(frozen=True)
class Turn:
    """What the worker does next: an item, or nothing, because others hold the last places or because all is done.

    `done` items were judged of those asked for, and `known` ones with a known answer between them. `gold` says that
    this is one of the latter; the page must not.
    """

    done: int
    assignment: int | None = None
    content: dict[str, Any] = field(default_factory=dict)
    step: int = 0
    deadline: datetime | None = field(default=None, compare=False)
    waiting: bool = False
    known: int = 0
    gold: bool = False

    @property
    def number(self) -> int:
        """Which of the worker's items this is, from 1."""
        return self.done + self.known + 1


class _Given(NamedTuple):
    assignment: int
    text: int
    condition: int
    role: str
    judged: bool
    skipped: bool

    @property
    def gold(self) -> bool:
        return self.role == SampledText.Role.GOLD

    @property
    def in_hand(self) -> bool:
        return not self.judged and not self.skipped


class _Stand(NamedTuple):
    """Where a worker stands: what it was given so far, in order."""

    state: str
    quota: int
    excluded: bool
    given: list[_Given]


class _Contended(Exception):
    """Others were just taking each open place, or the worker's other tab was quicker."""


def assign_next(participation: Participation) -> Turn:
    """The item the worker has in hand, or a new one. Safe to ask any number of times, from any number of tabs."""
    pause = FIRST_PAUSE
    for _ in range(ATTEMPTS):
        try:
            return _turn(participation)
        except (_Contended, Assignment.DoesNotExist, IntegrityError, OperationalError):
            time.sleep(pause)
            pause *= 2
    return _turn_of(_stand(participation).given, waiting=True)


def _turn(participation: Participation) -> Turn:
    stand = _stand(participation)
    given, done = stand.given, _done(stand.given)
    # An excluded worker's answers would not count: nothing more is asked.
    if stand.state != Participation.State.PRACTISED or stand.excluded:
        return _turn_of(given)
    last = given[-1] if given else None
    if last and last.in_hand and (last.gold or done < stand.quota) and _keep(last, participation.campaign):
        return _turn_of(given, _shown(last.assignment), gold=last.gold)
    if _gold_is_due(participation, stand) and (lease := _take(participation, given, leasing.take_gold)):
        return _turn_of(given, lease, gold=True)
    return _turn_of(given) if done >= stand.quota else _new(participation, stand)


def _stand(participation: Participation) -> _Stand:
    rows = GIVEN.all({"participation": participation.pk})
    state, quota, excluded = rows[0][:3]
    return _Stand(state, quota, excluded, [_Given(*row[3:]) for row in rows if row[3] is not None])


def _done(given: Sequence[_Given]) -> int:
    return sum(item.judged and not item.gold for item in given)


def _turn_of(given: Sequence[_Given], lease: Lease | None = None, **more: Any) -> Turn:
    held = lease._asdict() if lease else {}
    return Turn(_done(given), **held, known=sum(item.judged and item.gold for item in given), **more)


def _shown(assignment: int) -> Lease:
    return Lease(*Assignment.objects.values_list("pk", "stimulus__content", "step", "deadline").get(pk=assignment))


def _keep(item: _Given, campaign: Campaign) -> bool:
    """Whether the item in hand can still be answered in time; a lease that ran out is renewed if a place is left."""
    with transaction.atomic():
        assignment = Assignment.objects.select_for_update(no_key=True).get(pk=item.assignment)
        if Judgment.objects.filter(assignment=item.assignment).exists():  # Answered in another tab since we looked.
            raise _Contended
        now = timezone.now()
        if item.gold or (assignment.place_id and assignment.deadline > now):
            return True
        return extend(assignment, campaign, now)


def extend(assignment: Assignment, campaign: Campaign, now: datetime) -> bool:
    """The whole time for an item, from now on; not where others have all of its stimulus's places."""
    place = assignment.place_id or open_place(assignment.stimulus_id)
    if place is None:
        return False
    assignment.deadline = now + timedelta(minutes=campaign.minutes_per_item)
    Place.objects.filter(pk=place).update(state=Place.State.LEASED, leased_until=assignment.deadline)
    assignment.place_id = place
    assignment.save(update_fields=["place", "deadline"])
    return True


def ask_for_time(participation: Participation, pk: int) -> int:
    """The seconds that the worker now has for the item in hand; 0 where it is gone."""
    campaign = participation.campaign
    with transaction.atomic():
        assignment = participation.assignments.select_for_update(no_key=True).filter(pk=pk).first()
        if assignment is None or not _is_asked(assignment):
            return 0
        known = assignment.stimulus.role == SampledText.Role.GOLD
        return 60 * campaign.minutes_per_item if known or extend(assignment, campaign, timezone.now()) else 0


def _is_asked(assignment: Assignment) -> bool:
    """Of a worker who is at work and counts, looked at under the lock: nobody else keeps a place from others."""
    if assignment.warned == Assignment.Warned.SKIPPED or Judgment.objects.filter(assignment=assignment).exists():
        return False
    at_work = Participation.objects.filter(state=Participation.State.PRACTISED, excluded_at=None)
    return at_work.filter(pk=assignment.participation_id).exists()


def gold_positions(participation: int, quota: int, gold_items: int) -> list[int]:
    """After how many items each one with a known answer comes: spread over the quota, at places of the worker's own.

    The same for one worker at every look, so that nothing has to be stored. Never first.
    """
    draw = random.Random(f"gold {participation}")
    return [max(1, int((at + draw.uniform(0.2, 0.9)) * quota / gold_items)) for at in range(gold_items)]


def _gold_is_due(participation: Participation, stand: _Stand) -> bool:
    gold_items = participation.campaign.gold_items
    met = sum(item.gold for item in stand.given)
    if met >= gold_items:
        return False
    return _done(stand.given) >= min(stand.quota, gold_positions(participation.pk, stand.quota, gold_items)[met])


def _take(
    participation: Participation, given: Sequence[_Given], take: Callable[[Reach, datetime, datetime], Lease | None]
) -> Lease | None:
    now = timezone.now()
    return take(_reach(participation, given), now, now + timedelta(minutes=participation.campaign.minutes_per_item))


def _reach(participation: Participation, given: Sequence[_Given]) -> Reach:
    used = [item.condition for item in given if item.judged and not item.gold]
    seen = [item.text for item in given] + leasing.met_elsewhere(participation)
    return Reach(participation, used, seen, given[-1].assignment if given else None)


def _new(participation: Participation, stand: _Stand) -> Turn:
    given = stand.given
    swept = leasing.sweep_at_times(participation.campaign_id)
    lease = _take(participation, given, leasing.take)
    if lease is None and not swept:
        leasing.sweep(participation.campaign_id)
        lease = _take(participation, given, leasing.take)
    if lease:
        return _turn_of(given, lease)
    left = leasing.left(_reach(participation, given))
    if left.open or _stand(participation) != stand:
        raise _Contended
    return _turn_of(given, waiting=left.held_by_others)
