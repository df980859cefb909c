"""Deleting as a job: what goes is nowhere to be found at once, and a worker process deletes what belongs to it.

It goes in batches, each a transaction of its own that also says how far it is: so locks are short, and what is killed
half way goes on where it was. What is small goes before the page answers, by the same way.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.access import readable
from accounts.models import User
from materials.carrying import JobError, Procedure, carry_out, end, send
from materials.models import Removable, Removal

Batches = Iterator[Callable[[], int]]
Plans = Mapping[str, Callable[[int], Batches]]
Kind = Removal.Kind
State = Removal.State

TASKS = {
    Kind.DATASET: "materials.remove",
    Kind.CLASSIFIER: "materials.remove",
    Kind.CAMPAIGN: "reports.remove_campaign",
}
# Rows that are deleted within the request.
AT_ONCE = 2_000
STANDS = "Something has come to stand on it meanwhile: delete that first, and try again."
KEPT = timedelta(days=30)


def begin(row: Removable, kind: Kind, by: User | None, total: int) -> Removal:
    """Within a transaction that has locked the row and knows that it may go. From its end on nobody finds it."""
    now = timezone.now()
    type(row)._base_manager.filter(pk=row.pk).update(removed_at=now)
    # One that came back from an archive or a backup may have had its number before.
    Removal.objects.filter(Q(finished_at__lt=now - KEPT) | Q(kind=kind, key=row.pk), state=State.DONE).delete()
    given = {"team": row.team, "name": row.name, "asked_by": by}  # type: ignore[attr-defined]
    return Removal.objects.create(kind=kind, key=row.pk, total=total, **given)


def go_on(removal: Removal, how: Procedure[Removal]) -> Removal:
    """At once where it is small, by a worker process where not."""
    if removal.total <= AT_ONCE:
        carry_out(how, removal.pk)
    else:
        send(how.task, removal)
    removal.refresh_from_db()
    return removal


def try_again(removal: Removal) -> None:
    again = Removal.objects.filter(pk=removal.pk, state=State.FAILED)
    if again.update(state=State.WAITING, error="", tries=0, finished_at=None):
        send(TASKS[Kind(removal.kind)], removal)


def removals_of(user: User, *kinds: Kind) -> QuerySet[Removal]:
    """What goes of the user's teams, or did not go."""
    return readable(Removal.objects.filter(kind__in=kinds or list(Kind)), user).exclude(state=State.DONE)


def procedure(task: str, plans: Plans) -> Procedure[Removal]:
    """Of the kinds that have their plans here."""
    return Procedure(task, Removal, partial(_remove, plans), "deleted", only=Q(kind__in=list(plans)))


def _remove(plans: Plans, removal: Removal) -> None:
    try:
        for batch in plans[removal.kind](removal.key):
            with transaction.atomic():
                gone = batch()
                Removal.objects.filter(pk=removal.pk).update(done=F("done") + gone, tries=1)
    except IntegrityError as error:
        raise JobError(STANDS) from error
    end(removal, State.DONE)
