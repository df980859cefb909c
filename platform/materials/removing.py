"""Deleting as a job: what goes is nowhere to be found at once, and a worker process deletes what belongs to it.

It goes in batches, each a transaction of its own that also says how far it is: so locks are short, and what is killed
half way goes on where it was. What is small goes before the page answers, by the same way.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.access import readable
from accounts.models import User
from materials.claiming import claimed
from materials.enqueuing import enqueue
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
NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can do it: try again once the queue is back."
STANDS = "Something has come to stand on it meanwhile: delete that first, and try again."
MOST_TRIES = 3
DIED = f"Worker processes died over it, {MOST_TRIES} times."
# What is claimed under this number is a removal.
LOCKS = 7_265
KEPT = timedelta(days=30)


def begin(row: Removable, kind: Kind, by: User | None, total: int) -> Removal:
    """Within a transaction that has locked the row and knows that it may go. From its end on nobody finds it."""
    now = timezone.now()
    type(row)._base_manager.filter(pk=row.pk).update(removed_at=now)
    # One that came back from an archive or a backup may have had its number before.
    Removal.objects.filter(Q(finished_at__lt=now - KEPT) | Q(kind=kind, key=row.pk), state=State.DONE).delete()
    given = {"team": row.team, "name": row.name, "asked_by": by}  # type: ignore[attr-defined]
    return Removal.objects.create(kind=kind, key=row.pk, total=total, **given)


def go_on(removal: Removal, plans: Plans) -> Removal:
    """At once where it is small, by a worker process where not."""
    if removal.total <= AT_ONCE:
        carry_out(removal.pk, plans)
    else:
        transaction.on_commit(lambda: _send(removal))
    removal.refresh_from_db()
    return removal


def try_again(removal: Removal) -> None:
    again = Removal.objects.filter(pk=removal.pk, state=State.FAILED)
    if again.update(state=State.WAITING, error="", tries=0, finished_at=None):
        transaction.on_commit(lambda: _send(removal))


def _send(removal: Removal) -> None:
    if not enqueue(TASKS[Kind(removal.kind)], [removal.pk]):
        _end(removal.pk, State.FAILED, NO_QUEUE)


def removals_of(user: User, *kinds: Kind) -> QuerySet[Removal]:
    """What goes of the user's teams, or did not go."""
    return readable(Removal.objects.filter(kind__in=kinds or list(Kind)), user).exclude(state=State.DONE)


def unfinished(*kinds: Kind) -> list[int]:
    """What a killed worker or an emptied queue left."""
    return list(Removal.objects.filter(kind__in=kinds, state=State.WAITING).values_list("pk", flat=True))


def carry_out(pk: int, plans: Plans) -> None:
    """The task: nothing where it is done. ClaimedElsewhere while another process is at it."""
    with claimed(LOCKS, pk):
        waiting = Removal.objects.filter(pk=pk, state=State.WAITING)
        if not waiting.update(tries=F("tries") + 1):
            return
        removal = waiting.get()
        try:
            _carry_out(removal, plans)
        except IntegrityError:
            _end(pk, State.FAILED, STANDS)
        except DatabaseError:
            raise  # It is tried again.
        except Exception as error:
            _end(pk, State.FAILED, f"It could not be deleted: {error}")
            raise


def _carry_out(removal: Removal, plans: Plans) -> None:
    if removal.tries > MOST_TRIES:
        _end(removal.pk, State.FAILED, DIED)
        return
    for batch in plans[removal.kind](removal.key):
        with transaction.atomic():
            gone = batch()
            Removal.objects.filter(pk=removal.pk).update(done=F("done") + gone, tries=1)
    _end(removal.pk, State.DONE)


def _end(pk: int, state: str, error: str = "") -> None:
    ended = {"state": state, "error": error, "finished_at": timezone.now()}
    Removal.objects.filter(pk=pk, state=State.WAITING).update(**ended)
