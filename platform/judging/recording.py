"""An answer arrives: it is kept exactly once, whatever happened on the way."""

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from campaigns.models import SampledText, Stimulus
from judging.models import Assignment, Participation
from judging.standing import Asked
from judging.statements import Statement
from protocols import PROTOCOLS, Answer, Presentation

# The lock keeps sweeps and other answers off: until we are done, nobody takes the place back.
LOCK = Statement(
    "lock_assignment",
    "SELECT FROM judging_assignment WHERE id = %(assignment)s FOR NO KEY UPDATE",
    assignment="bigint",
)

# The place held, or another of the same stimulus; whether the worker counts is read after the lock was had: see
# `refilling`. An answer that is here already stands.
KEPT = """
asked AS (
    SELECT participation_id, place_id, stimulus_id, deadline < %(now)s AS late FROM judging_assignment
    WHERE id = %(assignment)s
        AND NOT EXISTS (SELECT FROM judging_judgment WHERE assignment_id = %(assignment)s)
), other AS (
    SELECT id FROM campaigns_place
    WHERE stimulus_id = (SELECT stimulus_id FROM asked WHERE place_id IS NULL) AND state = 'open' AND NOT %(closed)s
    ORDER BY number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
), free AS (
    SELECT coalesce(asked.place_id, (SELECT id FROM other)) AS id FROM asked WHERE NOT %(closed)s
), filled AS (
    UPDATE campaigns_place SET state = 'filled', leased_until = NULL
    WHERE id = (SELECT id FROM free) AND (
        SELECT state IN ('practised', 'completed') AND excluded_at IS NULL FROM judging_participation
        WHERE id = (SELECT participation_id FROM asked)
    )
    RETURNING id
), moved AS (
    UPDATE judging_assignment SET place_id = filled.id FROM filled
    WHERE judging_assignment.id = %(assignment)s AND judging_assignment.place_id IS DISTINCT FROM filled.id
), kept AS (
    INSERT INTO judging_judgment (
        assignment_id, place_id, answer, presentation, position, response_ms, active_ms, shown, late, received_at
    )
    SELECT %(assignment)s, (SELECT id FROM filled), %(answer)s, %(presentation)s, %(position)s, %(response_ms)s,
        %(active_ms)s, %(shown)s, asked.late OR %(closed)s, %(now)s
    FROM asked
)
"""
TOLD = "asked.late, (SELECT id FROM free) IS NOT NULL, asked.stimulus_id"
ANSWER = {
    "assignment": "bigint", "answer": "jsonb", "presentation": "jsonb", "position": "integer",
    "response_ms": "integer", "active_ms": "integer", "shown": "jsonb", "closed": "boolean", "now": "timestamptz",
}  # fmt: skip
KEEP = Statement("keep", f"WITH {KEPT} SELECT {TOLD} FROM asked", **ANSWER)


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


class Circumstances(NamedTuple):
    """How an item was seen. Times are by the browser's clock, which never jumps; None where it told none."""

    presentation: Presentation = {}
    position: int | None = None
    response_ms: int | None = None
    active_ms: int | None = None
    shown: Mapping[str, Any] = {}


UNTOLD = Circumstances()


def see_more(participation: Participation, asked: Asked, step: int) -> None:
    """One step further, unless a double click or another tab has gone there already."""
    if step == asked.step < PROTOCOLS[participation.campaign.protocol].steps(asked.content):
        Assignment.objects.filter(pk=asked.assignment, step=step, judgment__isnull=True).update(step=step + 1)


def record(assignment: int, answer: Answer, seen: Circumstances = UNTOLD, closed: bool = False) -> Outcome:
    """One judgment an assignment. A late answer counts if its place, or any of its stimulus, is still free.

    None counts once the campaign is `closed`: its report stays as it was.
    """
    row = KEEP.one(values_of(assignment, answer, seen, closed), before=[LOCK])
    return outcome_of(row, closed)


def values_of(assignment: int, answer: Answer, seen: Circumstances, closed: bool = False) -> dict[str, Any]:
    """The parameters of what keeps an answer."""
    return seen._asdict() | {
        "assignment": assignment,
        "answer": json.dumps(answer),
        "presentation": json.dumps(seen.presentation),
        "shown": json.dumps(seen.shown),
        "closed": closed,
        "now": timezone.now(),
    }


def outcome_of(told: Sequence[Any] | None, closed: bool = False) -> Outcome:
    """`told` is what keeping an answer says of it; None where there was one already."""
    if told is None:
        return Outcome.REPEATED
    late, placed, stimulus = told
    if not placed and (closed or _wanted(stimulus)):
        return Outcome.CLOSED if closed else Outcome.TOO_LATE
    return Outcome.LATE if late else Outcome.SAVED


def _wanted(stimulus: int) -> bool:
    """Whether judgments of it count at all; of those with a known answer none does."""
    return Stimulus.objects.filter(pk=stimulus, role=SampledText.Role.ITEM).exists()
