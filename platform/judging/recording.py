"""An answer arrives: it is kept exactly once, whatever happened on the way."""

import json
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple

from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from campaigns.models import SampledText, Stimulus
from judging.leasing import open_place
from judging.models import Assignment, Judgment, Participation
from protocols import PROTOCOLS, Answer, Content, Presentation

# Written out, because this is the path that every judgment takes; single look-ups as in `assigning`.
ASKED = """
SELECT assignment.id,
    (SELECT content::text FROM campaigns_stimulus stimulus WHERE stimulus.id = assignment.stimulus_id),
    (SELECT id FROM judging_judgment judgment WHERE judgment.assignment_id = assignment.id) IS NOT NULL,
    assignment.step,
    (SELECT count(*) FROM judging_assignment before
     WHERE before.participation_id = assignment.participation_id AND before.id <= assignment.id),
    assignment.deadline
FROM judging_assignment assignment WHERE assignment.id = %s AND assignment.participation_id = %s
"""

# The lock keeps sweeps off: until we are done, nobody takes the place back.
LOCK = """
SELECT participation_id, place_id, stimulus_id, deadline FROM judging_assignment WHERE id = %s FOR NO KEY UPDATE
"""

# Whether the worker counts is read after the lock was had: see `refilling`.
KEEP = """
WITH filled AS (
    UPDATE campaigns_place SET state = 'filled', leased_until = NULL
    WHERE id = %s AND EXISTS (
        SELECT FROM judging_participation
        WHERE id = %s AND state IN ('practised', 'completed') AND excluded_at IS NULL
    )
    RETURNING id
)
INSERT INTO judging_judgment (
    assignment_id, place_id, answer, presentation, position, response_ms, active_ms, shown, late, received_at
) VALUES (%s, (SELECT id FROM filled), %s, %s, %s, %s, %s, %s, %s, %s)
RETURNING place_id
"""


class Outcome(Enum):
    """What became of an answer, in the words the worker reads; nothing to say when all is well."""

    SAVED = ""
    LATE = _("That took longer than the time for one text, but your answer came soon enough: it is saved and counts.")
    TOO_LATE = _(
        "That took longer than the time for one text, and others have answered it meanwhile. "
        "Your answer is saved, marked as late, and counts towards your own progress."
    )
    CLOSED = _("The study was closed just before your answer came. It is saved, marked as late, and does not count.")
    REPEATED = _("Your answer to that text was saved before. The first answer stands; nothing was saved twice.")

    @property
    def words(self) -> str:
        """In the language of the page."""
        return gettext(self.value) if self.value else ""


class Asked(NamedTuple):
    """An assignment of the worker's, with what was shown; `answered` if its answer is here already.

    `step` is how often the worker asked to see more, `position` which of the worker's items it is, from 1.
    """

    assignment: int
    content: Content
    answered: bool
    step: int
    position: int
    deadline: datetime


class Circumstances(NamedTuple):
    """How an item was seen. Times are by the browser's clock, which never jumps; None where it told none."""

    presentation: Presentation = {}
    position: int | None = None
    response_ms: int | None = None
    active_ms: int | None = None
    shown: Mapping[str, Any] = {}


UNTOLD = Circumstances()


def asked(participation: Participation, assignment: int) -> Asked | None:
    with connection.cursor() as cursor:
        cursor.execute(ASKED, [assignment, participation.pk])
        row = cursor.fetchone()
    return Asked(row[0], json.loads(row[1]), *row[2:]) if row else None


def see_more(participation: Participation, asked: Asked, step: int) -> None:
    """One step further, unless a double click or another tab has gone there already."""
    if step == asked.step < PROTOCOLS[participation.campaign.protocol].steps(asked.content):
        Assignment.objects.filter(pk=asked.assignment, step=step, judgment__isnull=True).update(step=step + 1)


def record(assignment: int, answer: Answer, circumstances: Circumstances = UNTOLD, closed: bool = False) -> Outcome:
    """One judgment an assignment. A late answer counts if its place, or any of its stimulus, is still free.

    None counts once the campaign is `closed`: its report stays as it was.
    """
    try:
        with transaction.atomic():
            return _record(assignment, answer, circumstances, closed)
    except IntegrityError:
        if Judgment.objects.filter(assignment=assignment).exists():
            return Outcome.REPEATED
        raise


def _record(pk: int, answer: Answer, seen: Circumstances, closed: bool) -> Outcome:
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [pk])
        participation, held, stimulus, deadline = cursor.fetchone()
        place = None if closed else held or open_place(stimulus)
        late = closed or now > deadline
        how = (json.dumps(seen.presentation), seen.position, seen.response_ms, seen.active_ms, json.dumps(seen.shown))
        cursor.execute(KEEP, [place, participation, pk, json.dumps(answer), *how, late, now])
        [filled] = cursor.fetchone()
    if filled and filled != held:
        Assignment.objects.filter(pk=pk).update(place=filled)
    if place is None and (closed or _wanted(stimulus)):
        return Outcome.CLOSED if closed else Outcome.TOO_LATE
    return Outcome.LATE if late else Outcome.SAVED


def _wanted(stimulus: int) -> bool:
    """Whether judgments of it count at all; of those with a known answer none does."""
    return Stimulus.objects.filter(pk=stimulus, role=SampledText.Role.ITEM).exists()
