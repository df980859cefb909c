"""Places change hands here: open -> leased, and back where the lease ran out. Every look-up is by an index."""

import json
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from campaigns.models import Campaign, Place
from judging.models import Participation
from judging.statements import Statement

SWEPT_AT_ONCE = 200
SWEEP_SECONDS = 1.0
_SWEPT: dict[int, float] = {}  # when, by this process's clock

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

# The parameters of what looks for a place, as `Reach.values` has them.
REACH = {
    "campaign": "bigint", "participation": "bigint", "arm": "text", "list": "integer", "person": "text",
    "used": "bigint[]", "seen": "bigint[]", "last": "bigint",
}  # fmt: skip

# One request of a worker at a time, or two tabs would lease two items.
LOCK = Statement(
    "lock_participation",
    "SELECT FROM judging_participation WHERE id = %(participation)s FOR NO KEY UPDATE",
    participation="bigint",
)

# Whether the worker still stands where we looked, and may be given something at all; read once the lock is had. OFFSET
# keeps the look-ups to the worker's own rows: a planner that has seen few would walk those of all.
STANDS = """
SELECT FROM (
    SELECT state = 'practised' AND excluded_at IS NULL AS at_work FROM judging_participation
    WHERE id = %(participation)s OFFSET 0
) worker, (
    SELECT max(id) AS last
    FROM (SELECT id FROM judging_assignment WHERE participation_id = %(participation)s OFFSET 0) given
) newest
WHERE worker.at_work AND newest.last IS NOT DISTINCT FROM %(last)s
"""

# The conditions that a worker may meet: all, or those of the arm.
REACHABLE = """
SELECT id, method, k FROM campaigns_condition
WHERE campaign_id = %(campaign)s AND %(arm)s IN ('', method || '|' || other || '|' || display)
"""

# The first open place of one condition, on the worker's list, of a text that is new to the worker.
HEAD = """
SELECT place.id, place.stimulus_id, place.text_id, place.number, place.rank FROM campaigns_place place
WHERE place.condition_id = {condition} AND place.list = %(list)s AND place.state = 'open'
    AND place.text_id <> ALL (%(seen)s::bigint[])
ORDER BY place.number, place.rank LIMIT 1
"""

# For each condition its first place, one index look-up each; then the condition whose method this worker met least,
# then k, then both together, then the one filled least so far.
TAKEN = f"""
used AS (
    SELECT condition.id, condition.method, condition.k
    FROM unnest(%(used)s::bigint[]) AS item (id) JOIN campaigns_condition condition USING (id)
), heads AS (
    SELECT condition.id, condition.method, condition.k, head.number, head.rank
    FROM ({REACHABLE}) condition CROSS JOIN LATERAL ({HEAD.format(condition="condition.id")}) head
), best AS (
    SELECT heads.id FROM heads WHERE EXISTS ({STANDS}) ORDER BY
        (SELECT count(*) FROM used WHERE used.method = heads.method),
        (SELECT count(*) FROM used WHERE used.k IS NOT DISTINCT FROM heads.k),
        (SELECT count(*) FROM used WHERE used.id = heads.id),
        heads.number, heads.rank, heads.id
    LIMIT 1
), taken AS (
    {HEAD.format(condition="(SELECT id FROM best)")} FOR NO KEY UPDATE SKIP LOCKED
), leased AS (
    UPDATE campaigns_place SET state = 'leased', leased_until = %(until)s
    FROM taken WHERE campaigns_place.id = taken.id
), assigned AS (
    INSERT INTO judging_assignment
        (participation_id, stimulus_id, text_id, place_id, person_hash, step, leased_at, deadline)
    SELECT %(participation)s, stimulus_id, text_id, id, %(person)s, 0, %(now)s, %(until)s FROM taken
    RETURNING id, stimulus_id
)
"""
GIVEN = "assigned.id, (SELECT content::text FROM campaigns_stimulus stimulus WHERE stimulus.id = assigned.stimulus_id)"
TAKE = Statement("take", f"WITH {TAKEN} SELECT {GIVEN} FROM assigned", **REACH, now="timestamptz", until="timestamptz")

# Whether a place is open, and whether others hold one that may come free: of texts that are new to the worker.
LEFT = f"""
SELECT
    EXISTS (SELECT FROM ({REACHABLE}) condition CROSS JOIN LATERAL ({HEAD.format(condition="condition.id")}) head),
    EXISTS (
        SELECT FROM campaigns_place place
        WHERE place.campaign_id = %(campaign)s AND place.state = 'leased' AND place.list = %(list)s
            AND place.text_id <> ALL (%(seen)s::bigint[])
            AND place.condition_id IN (SELECT id FROM ({REACHABLE}) condition)
    )
"""

# A stimulus with a known answer holds no place: nobody's judgment of it counts.
TAKE_GOLD = Statement(
    "take_gold",
    f"""
WITH chosen AS (
    SELECT id, text_id, content FROM campaigns_stimulus
    WHERE campaign_id = %(campaign)s AND role = 'gold' AND text_id <> ALL (%(seen)s::bigint[])
        AND EXISTS ({STANDS})
    ORDER BY md5(%(participation)s::text || '/' || text_id) LIMIT 1
), assigned AS (
    INSERT INTO judging_assignment
        (participation_id, stimulus_id, text_id, place_id, person_hash, step, leased_at, deadline)
    SELECT %(participation)s, id, text_id, NULL, %(person)s, 0, %(now)s, %(until)s FROM chosen
    RETURNING id
)
SELECT assigned.id, chosen.content::text FROM assigned, chosen
""",
    **REACH,
    now="timestamptz",
    until="timestamptz",
)

# What a person met in other campaigns of the dataset; in this one it is among the worker's own.
MET = "SELECT array_agg(text_id) FROM judging_assignment WHERE person_hash = %s"


class Lease(NamedTuple):
    assignment: int
    content: dict[str, Any]
    step: int
    deadline: datetime


class Left(NamedTuple):
    """What this worker could still be given."""

    open: bool
    held_by_others: bool


class Reach(NamedTuple):
    """What one worker may be given: `used` are the conditions met so far, `seen` the texts, `last` the assignment."""

    participation: Participation
    used: Sequence[int]
    seen: Sequence[int]
    last: int | None = None

    def values(self) -> dict[str, Any]:
        worker = self.participation
        return {
            "campaign": worker.campaign_id,
            "participation": worker.pk,
            "arm": worker.arm,
            "list": worker.list or 0,
            "person": worker.person_hash or None,
            "used": list(self.used),
            "seen": list(self.seen),
            "last": self.last,
        }


def sweep(campaign: int) -> None:
    """Places whose lease ran out are opened; others may be doing the same."""
    _SWEPT[campaign] = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute(SWEEP, {"campaign": campaign, "now": timezone.now(), "limit": SWEPT_AT_ONCE})


def sweep_at_times(campaign: int) -> bool:
    """As `sweep`, once a second in each process: leases last minutes. Whether it was time."""
    if time.monotonic() - _SWEPT.get(campaign, 0.0) < SWEEP_SECONDS:
        return False
    sweep(campaign)
    return True


def take(reach: Reach, minutes: int) -> Lease | None:
    """The next place for a worker; None where nothing is open, or others are just taking it."""
    return _leased(TAKE, reach.values() | term(minutes))


def take_gold(reach: Reach, minutes: int) -> Lease | None:
    """A stimulus with a known answer that is new to the worker, in an order of the worker's own."""
    return _leased(TAKE_GOLD, reach.values() | term(minutes))


def term(minutes: int) -> dict[str, datetime]:
    """Of a lease that begins now."""
    now = timezone.now()
    return {"now": now, "until": now + timedelta(minutes=minutes)}


def _leased(statement: Statement, values: dict[str, Any]) -> Lease | None:
    return lease_of(statement.one(values, before=[LOCK]), values["until"])


def lease_of(given: Sequence[Any] | None, until: datetime) -> Lease | None:
    """`given` is what taking a place says: None, or nothing in it, where none was taken."""
    if given is None or given[0] is None:
        return None
    return Lease(given[0], json.loads(given[1]), 0, until)


def left(reach: Reach) -> Left:
    with connection.cursor() as cursor:
        cursor.execute(LEFT, reach.values())
        return Left(*cursor.fetchone())


def met_elsewhere(participation: Participation) -> list[int]:
    """Texts that nobody may meet again, where the campaign says so."""
    if not participation.person_hash:
        return []
    with connection.cursor() as cursor:
        cursor.execute(MET, [participation.person_hash])
        return cursor.fetchone()[0] or []


def open_place(stimulus: int) -> int | None:
    """A locked open place of the stimulus, if there is one that nobody is just taking."""
    places = Place.objects.filter(stimulus=stimulus, state=Place.State.OPEN).order_by("number")
    return places.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True).first()


def has_places(campaign: Campaign) -> bool:
    """A place that another worker holds may come free again; one that is filled does not."""
    return campaign.places.filter(state__in=[Place.State.OPEN, Place.State.LEASED]).exists()
