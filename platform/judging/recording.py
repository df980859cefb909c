"""An answer arrives: it is kept exactly once, whatever happened on the way."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from campaigns.models import Place, Stimulus
from judging.assigning import open_place
from judging.models import Assignment, Judgment, Participation
from protocols import Content


class Outcome(Enum):
    """What became of an answer, in the words the worker reads; nothing to say when all is well."""

    SAVED = ""
    LATE = "That took longer than the time for one text, but your answer came soon enough: it is saved and counts."
    TOO_LATE = (
        "That took longer than the time for one text, and others have answered it meanwhile. "
        "Your answer is saved, marked as late, and counts towards your own progress."
    )
    REPEATED = "Your answer to that text was saved before. The first answer stands; nothing was saved twice."


class Asked(NamedTuple):
    """An assignment of the worker's, with what was shown; `answered` if its answer is here already."""

    assignment: int
    content: Content
    answered: bool


def asked(participation: Participation, assignment: int) -> Asked | None:
    """Single look-ups, no joins: see the sweep in `assigning`."""
    content = Stimulus.objects.filter(pk=OuterRef("stimulus")).values("content")[:1]
    judgment = Judgment.objects.filter(assignment=OuterRef("pk")).values("pk")[:1]
    rows = participation.assignments.filter(pk=assignment)
    row = rows.values_list("pk", Subquery(content), Subquery(judgment)).first()
    return Asked(row[0], row[1], row[2] is not None) if row else None


def record(
    assignment: int,
    answer: Mapping[str, Any],
    response_ms: int | None = None,
    shown: Mapping[str, Any] | None = None,
) -> Outcome:
    """One judgment an assignment. A late answer counts if its place, or any of its stimulus, is still free."""
    try:
        with transaction.atomic():
            return _record(assignment, answer, response_ms, shown or {})
    except IntegrityError:
        if Judgment.objects.filter(assignment=assignment).exists():
            return Outcome.REPEATED
        raise


def _record(pk: int, answer: Mapping[str, Any], response_ms: int | None, shown: Mapping[str, Any]) -> Outcome:
    # The lock keeps sweeps off: until we are done, nobody takes the place back.
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=pk)
    late = timezone.now() > assignment.deadline
    place = assignment.place_id or open_place(assignment.stimulus_id)
    Judgment.objects.create(
        assignment=assignment, place_id=place, answer=answer, response_ms=response_ms, shown=shown, late=late
    )
    if place is None:
        return Outcome.TOO_LATE
    Place.objects.filter(pk=place).update(state=Place.State.FILLED, leased_until=None)
    if place != assignment.place_id:
        Assignment.objects.filter(pk=assignment.pk).update(place=place)
    return Outcome.LATE if late else Outcome.SAVED
