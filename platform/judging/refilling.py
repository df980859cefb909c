"""What a worker holds and has filled goes back to others, and comes back where nobody has taken it yet.

The places of judgments that no longer count are void: the judgments stay as they are, and an open place takes the
number of each. Every function here runs under a lock of the participation, in the caller's transaction. `recording`
reads whether a worker counts only after it has locked the assignment; so after `_lock_assignments` no answer that is
on its way can fill a place of somebody who is gone.
"""

from django.db import connection

from campaigns.models import Place
from judging.models import Participation

LOCK = "SELECT id FROM judging_assignment WHERE participation_id = %s ORDER BY id FOR NO KEY UPDATE"

RELEASE = """
WITH held AS (
    UPDATE judging_assignment assignment SET place_id = NULL
    FROM campaigns_place place
    WHERE assignment.participation_id = %s AND place.id = assignment.place_id AND place.state = 'leased'
    RETURNING place.id
)
UPDATE campaigns_place SET state = 'open', leased_until = NULL WHERE id = ANY (ARRAY(SELECT id FROM held))
"""

COUNTING = """
SELECT id, number FROM campaigns_place
WHERE state = 'filled' AND id = ANY (ARRAY(
    SELECT place_id FROM judging_assignment WHERE participation_id = %s AND place_id IS NOT NULL
))
FOR NO KEY UPDATE
"""

VOID = "UPDATE campaigns_place SET state = 'void', number = NULL WHERE id = ANY (%s)"

REFILL = """
INSERT INTO campaigns_place (campaign_id, stimulus_id, condition_id, text_id, number, rank, list, state)
SELECT campaign_id, stimulus_id, condition_id, text_id, free.number, rank, list, 'open'
FROM campaigns_place JOIN unnest(%s, %s) AS free (id, number) USING (id)
"""

# Any open place of the stimulus makes way, and leaves its number; one that a worker is just answering does not.
RESTORE = """
WITH room AS (
    SELECT id FROM campaigns_place WHERE stimulus_id = %s AND state = 'open' ORDER BY number LIMIT 1
    FOR UPDATE SKIP LOCKED
)
DELETE FROM campaigns_place WHERE id = (SELECT id FROM room) RETURNING number
"""

# Each of the worker's places by itself: a planner that has seen few rows yet would read those of all workers.
TALLY = """
UPDATE judging_participation SET counted = (
    SELECT count(*) FROM judging_assignment assignment WHERE participation_id = %(participation)s
        AND (SELECT state FROM campaigns_place WHERE id = assignment.place_id) = 'filled'
)
WHERE id = %(participation)s
"""


def release(participation: Participation) -> None:
    """The item in hand goes back at once."""
    _lock_assignments(participation)
    with connection.cursor() as cursor:
        cursor.execute(RELEASE, [participation.pk])


def void(participation: Participation) -> None:
    """No answer of this worker counts any more; others are asked for each again."""
    release(participation)
    with connection.cursor() as cursor:
        cursor.execute(COUNTING, [participation.pk])
        if counting := cursor.fetchall():
            places, numbers = map(list, zip(*counting, strict=True))
            cursor.execute(VOID, [places])
            cursor.execute(REFILL, [places, numbers])


def restore(participation: Participation) -> None:
    """The answers count again, but for those that others have given meanwhile or are giving now."""
    _lock_assignments(participation)
    void_places = Place.objects.filter(state=Place.State.VOID, assignment__participation=participation)
    for place in void_places.order_by("stimulus_id"):
        with connection.cursor() as cursor:
            cursor.execute(RESTORE, [place.stimulus_id])
            row = cursor.fetchone()
        if row:
            Place.objects.filter(pk=place.pk).update(state=Place.State.FILLED, number=row[0])


def tally(participation: Participation) -> None:
    """How many of the worker's items count, once the work has ended: what arms and lists are evened out by."""
    with connection.cursor() as cursor:
        cursor.execute(TALLY, {"participation": participation.pk})


def _lock_assignments(participation: Participation) -> None:
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [participation.pk])
