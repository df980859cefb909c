"""Which stimulus a worker judges next.

One transaction: places whose lease ran out are opened, then the worker takes one. Places are found by index and
locked with SKIP LOCKED, so nobody waits for anybody; "at most N judgments" and "no text twice" are the database's
own constraints, which have the last word.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from campaigns.models import Campaign, Place
from judging.models import Assignment, Judgment, Participation

ATTEMPTS = 8
FIRST_PAUSE = 0.005  # seconds, doubled each time: others hold their locks for milliseconds
SWEPT_AT_ONCE = 200

# One request of a worker at a time, or two tabs would lease two items.
LOCK = "SELECT state, quota FROM judging_participation WHERE id = %s FOR NO KEY UPDATE"

# Single look-ups instead of joins, here and in the sweep: in a campaign of 200,000 stimuli a planner that has seen few
# assignments yet would scan all stimuli to join them.
GIVEN = """
SELECT assignment.id, assignment.text_id,
    (SELECT condition_id FROM campaigns_stimulus stimulus WHERE stimulus.id = assignment.stimulus_id),
    (SELECT id FROM judging_judgment judgment WHERE judgment.assignment_id = assignment.id) IS NOT NULL
FROM judging_assignment assignment WHERE assignment.participation_id = %s ORDER BY assignment.id
"""

# Whoever moves a leased place first locks its assignment, so a lock on the assignment is enough here.
SWEEP = """
WITH expired AS (
    SELECT place_id FROM judging_assignment
    WHERE deadline < %(now)s AND place_id = ANY (ARRAY(
        SELECT id FROM campaigns_place
        WHERE campaign_id = %(campaign)s AND state = 'leased' AND leased_until < %(now)s
        LIMIT %(limit)s
    ))
    FOR NO KEY UPDATE SKIP LOCKED
), opened AS (
    UPDATE campaigns_place SET state = 'open', leased_until = NULL
    WHERE id = ANY (ARRAY(SELECT place_id FROM expired)) AND state = 'leased' AND leased_until < %(now)s
    RETURNING id
)
UPDATE judging_assignment SET place_id = NULL WHERE place_id = ANY (ARRAY(SELECT id FROM opened))
"""

# For each condition the first open place of a text that is new to the worker, one index look-up each; then the
# condition whose method this worker met least, then k, then both together, then the one filled least so far.
TAKE = """
WITH used AS (
    SELECT condition.id, condition.method, condition.k
    FROM unnest(%(used)s::bigint[]) AS item (id) JOIN campaigns_condition condition USING (id)
), heads AS (
    SELECT condition.id, condition.method, condition.k, head.number, head.rank
    FROM campaigns_condition condition CROSS JOIN LATERAL (
        SELECT place.number, place.rank FROM campaigns_place place
        WHERE place.condition_id = condition.id AND place.state = 'open' AND place.text_id <> ALL (%(seen)s::bigint[])
        ORDER BY place.number, place.rank LIMIT 1
    ) head
    WHERE condition.campaign_id = %(campaign)s
), best AS (
    SELECT heads.id FROM heads ORDER BY
        (SELECT count(*) FROM used WHERE used.method = heads.method),
        (SELECT count(*) FROM used WHERE used.k IS NOT DISTINCT FROM heads.k),
        (SELECT count(*) FROM used WHERE used.id = heads.id),
        heads.number, heads.rank, heads.id
    LIMIT 1
), taken AS (
    SELECT place.id, place.stimulus_id, place.text_id FROM campaigns_place place
    WHERE place.condition_id = (SELECT id FROM best) AND place.state = 'open'
        AND place.text_id <> ALL (%(seen)s::bigint[])
    ORDER BY place.number, place.rank LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
), leased AS (
    UPDATE campaigns_place SET state = 'leased', leased_until = %(deadline)s
    FROM taken WHERE campaigns_place.id = taken.id
), assigned AS (
    INSERT INTO judging_assignment (participation_id, stimulus_id, text_id, place_id, step, leased_at, deadline)
    SELECT %(participation)s, stimulus_id, text_id, id, 0, %(now)s, %(deadline)s FROM taken
    RETURNING id, stimulus_id
)
SELECT id, (SELECT content::text FROM campaigns_stimulus stimulus WHERE stimulus.id = assigned.stimulus_id)
FROM assigned
"""


@dataclass(frozen=True)
class Turn:
    """What the worker does next: an item, or nothing, because others hold the last places or because all is done."""

    done: int
    assignment: int | None = None
    content: dict[str, Any] = field(default_factory=dict)
    step: int = 0
    waiting: bool = False


class _Given(NamedTuple):
    assignment: int
    text: int
    condition: int
    judged: bool


class _Contended(Exception):
    """There are open places, and just now others were taking each of them."""


def assign_next(participation: Participation) -> Turn:
    """The item the worker has in hand, or a new one. Safe to ask any number of times, from any number of tabs."""
    pause = FIRST_PAUSE
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():
                return _turn(participation)
        except (_Contended, IntegrityError, OperationalError):
            time.sleep(pause)
            pause *= 2
    return Turn(Judgment.objects.filter(assignment__participation=participation).count(), waiting=True)


def _turn(participation: Participation) -> Turn:
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [participation.pk])
        state, quota = cursor.fetchone()
        cursor.execute(GIVEN, [participation.pk])
        given = [_Given(*row) for row in cursor.fetchall()]
    done = sum(item.judged for item in given)
    if state != Participation.State.PRACTISED or done >= quota:
        return Turn(done)
    if given and not given[-1].judged and _keep(given[-1].assignment, participation.campaign):
        return Turn(done, *_shown(given[-1].assignment))
    return _new(participation, given, done)


def _shown(assignment: int) -> tuple[int, dict[str, Any], int]:
    return Assignment.objects.values_list("pk", "stimulus__content", "step").get(pk=assignment)


def _keep(pk: int, campaign: Campaign) -> bool:
    """Whether the item in hand can still be answered in time; a lease that ran out is renewed if a place is left."""
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=pk)
    if Judgment.objects.filter(assignment=pk).exists():  # Answered in another tab since we looked.
        raise _Contended
    now = timezone.now()
    if assignment.place_id and assignment.deadline > now:
        return True
    place = assignment.place_id or open_place(assignment.stimulus_id)
    if place is None:
        return False
    assignment.deadline = now + timedelta(minutes=campaign.minutes_per_item)
    Place.objects.filter(pk=place).update(state=Place.State.LEASED, leased_until=assignment.deadline)
    assignment.place_id = place
    assignment.save(update_fields=["place", "deadline"])
    return True


def open_place(stimulus: int) -> int | None:
    """A locked open place of the stimulus, if there is one that nobody is just taking."""
    places = Place.objects.filter(stimulus=stimulus, state=Place.State.OPEN).order_by("number")
    return places.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True).first()


def _new(participation: Participation, given: Sequence[_Given], done: int) -> Turn:
    now = timezone.now()
    seen = [item.text for item in given]
    values: dict[str, Any] = {
        "campaign": participation.campaign_id,
        "participation": participation.pk,
        "seen": seen,
        "used": [item.condition for item in given if item.judged],
        "now": now,
        "deadline": now + timedelta(minutes=participation.campaign.minutes_per_item),
        "limit": SWEPT_AT_ONCE,
    }
    with connection.cursor() as cursor:
        cursor.execute(SWEEP, values)
        cursor.execute(TAKE, values)
        row = cursor.fetchone()
    if row:
        return Turn(done, row[0], json.loads(row[1]))
    return Turn(done, waiting=_others_hold(participation, seen))


def _others_hold(participation: Participation, seen: list[int]) -> bool:
    """Whether a place may still come back to this worker; not where all are filled or of texts already seen."""
    places = Place.objects.filter(campaign=participation.campaign_id).exclude(text__in=seen)
    if places.filter(state=Place.State.OPEN).exists():
        raise _Contended
    return places.filter(state=Place.State.LEASED).exists()
