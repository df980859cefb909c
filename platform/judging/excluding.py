"""A researcher takes a worker's judgments out of the count, or back in. The judgments themselves stay as they are."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from judging.models import Participation
from judging.refilling import restore, tally, void

State = Participation.State
# Whoever stopped half way counts only where the campaign says so.
WHOLE = [State.PRACTISED, State.COMPLETED]


def exclude(participation: Participation, reason: str, by: User | None = None) -> bool:
    """From now on nothing of this worker counts, and others are asked for it. False where that is so already.

    The worker is not told: whoever is at work gets no more items, and ends as everybody does.
    """
    with transaction.atomic():
        rows = Participation.objects.select_for_update(no_key=True).filter(pk=participation.pk, excluded_at=None)
        excluded = rows.first() is not None
        if excluded:
            rows.update(excluded_at=timezone.now(), exclusion_reason=reason[:300], excluded_by=by)
            void(participation)
            tally(participation)
    participation.refresh_from_db(fields=["excluded_at", "exclusion_reason", "excluded_by", "counted"])
    return excluded


def readmit(participation: Participation) -> bool:
    """Counts again, except where others have taken the place meanwhile. False where nobody had excluded the worker."""
    with transaction.atomic():
        row = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        if row.excluded_at:
            Participation.objects.filter(pk=row.pk).update(excluded_at=None, exclusion_reason="", excluded_by=None)
            if counts(row):
                restore(row)
                tally(row)
    participation.refresh_from_db(fields=["excluded_at", "exclusion_reason", "excluded_by", "counted"])
    return bool(row.excluded_at)


def counts(participation: Participation) -> bool:
    """Whether the judgments of a worker who is not excluded count, going by how the work ended."""
    stopped = participation.state in (State.RETURNED, State.TIMED_OUT)
    return participation.state in WHOLE or (stopped and participation.campaign.unfinished_count)
