"""Which stimulus a worker judges next.

We look where the worker stands, and take a place if that is still so under the worker's lock: of two tabs one leases,
and the other looks again. Places are found by index and locked with SKIP LOCKED, so nobody waits for anybody; "at most
N judgments" and "no text twice" are the database's own constraints, which have the last word. Which places a worker may
take at all, the arm or the list says that the worker was put on (`allotting`).
"""

import random
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from campaigns.models import Campaign, Place, SampledText
from judging import leasing
from judging.leasing import Lease, Reach, open_place
from judging.models import Assignment, Judgment, Participation
from judging.standing import Stand, stand

ATTEMPTS = 8
FIRST_PAUSE = 0.005  # seconds, doubled each time: others hold their locks for milliseconds


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
    return turn_of(stand(participation.pk), waiting=True)


def _turn(participation: Participation) -> Turn:
    now = stand(participation.pk)
    if not now.at_work:
        return turn_of(now)
    gold = now.in_hand_known
    if now.in_hand and (gold or now.done < now.quota) and _keep(now.in_hand, gold, participation.campaign):
        return turn_of(now, _shown(now.in_hand), gold=gold)
    minutes = participation.campaign.minutes_per_item
    if gold_is_due(participation, now) and (lease := leasing.take_gold(reach_of(participation, now), minutes)):
        return turn_of(now, lease, gold=True)
    return turn_of(now) if now.done >= now.quota else _new(participation, now)


def turn_of(stand: Stand, lease: Lease | None = None, **more: Any) -> Turn:
    held = lease._asdict() if lease else {}
    return Turn(stand.done, **held, known=stand.known, **more)


def _shown(assignment: int) -> Lease:
    return Lease(*Assignment.objects.values_list("pk", "stimulus__content", "step", "deadline").get(pk=assignment))


def _keep(pk: int, gold: bool, campaign: Campaign) -> bool:
    """Whether the item in hand can still be answered in time; a lease that ran out is renewed if a place is left."""
    with transaction.atomic():
        assignment = Assignment.objects.select_for_update(no_key=True).get(pk=pk)
        if Judgment.objects.filter(assignment=pk).exists():  # Answered in another tab since we looked.
            raise _Contended
        now = timezone.now()
        if gold or (assignment.place_id and assignment.deadline > now):
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


def gold_is_due(participation: Participation, stand: Stand) -> bool:
    """Whether an item with a known answer comes next."""
    gold_items = participation.campaign.gold_items
    if stand.known_given >= gold_items:
        return False
    return stand.done >= min(stand.quota, gold_positions(participation.pk, stand.quota, gold_items)[stand.known_given])


def reach_of(participation: Participation, stand: Stand) -> Reach:
    return Reach(participation, stand.used, stand.seen + leasing.met_elsewhere(participation), stand.last)


def _new(participation: Participation, now: Stand) -> Turn:
    reach, minutes = reach_of(participation, now), participation.campaign.minutes_per_item
    swept = leasing.sweep_at_times(participation.campaign_id)
    lease = leasing.take(reach, minutes)
    if lease is None and not swept:
        leasing.sweep(participation.campaign_id)
        lease = leasing.take(reach, minutes)
    if lease:
        return turn_of(now, lease)
    left = leasing.left(reach)
    if left.open or stand(participation.pk) != now:
        raise _Contended
    return turn_of(now, waiting=left.held_by_others)
