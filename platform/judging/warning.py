"""A text that bears a warning is shown only to those who wish it; skipping it costs nothing."""

from django.db import transaction

from campaigns.models import Place
from judging.models import Assignment, Participation

Warned = Assignment.Warned


def warning_of(assignment: int, content: dict[str, object]) -> str:
    """What to say first; empty where nothing is, or the worker has chosen already."""
    warning = str(content.get("warning", ""))
    undecided = bool(warning) and Assignment.objects.filter(pk=assignment, warned="").exists()
    return warning if undecided else ""


def decide(participation: Participation, assignment: int, skip: bool) -> None:
    """Shown or skipped, once and for all; a skipped text's place goes back at once."""
    with transaction.atomic():
        rows = Assignment.objects.select_for_update(no_key=True, of=("self",))
        row = rows.filter(pk=assignment, participation=participation, warned="", judgment__isnull=True).first()
        if row is None:
            return
        row.warned = Warned.SKIPPED if skip else Warned.SHOWN
        if skip and row.place_id is not None:
            Place.objects.filter(pk=row.place_id).update(state=Place.State.OPEN, leased_until=None)
            row.place = None
        row.save(update_fields=["warned", "place"])
