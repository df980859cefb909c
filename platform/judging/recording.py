"""An answer arrives: it is kept exactly once, whatever happened on the way."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.models import Place
from judging.assigning import open_place
from judging.models import Assignment, Judgment


class Outcome(Enum):
    """What became of an answer, in the words the worker reads; nothing to say when all is well."""

    SAVED = ""
    LATE = "That took longer than the time for one text, but your answer came soon enough: it is saved and counts."
    TOO_LATE = (
        "That took longer than the time for one text, and others have answered it meanwhile. "
        "Your answer is saved, marked as late, and counts towards your own progress."
    )
    REPEATED = "Your answer to that text was saved before. The first answer stands; nothing was saved twice."


def record(
    assignment: Assignment,
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


def _record(given: Assignment, answer: Mapping[str, Any], response_ms: int | None, shown: Mapping[str, Any]) -> Outcome:
    # The lock keeps sweeps off: until we are done, nobody takes the place back.
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=given.pk)
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
