"""Jobs are carried out by worker processes, whatever dies meanwhile.

A job's task is sent once its row is committed, knows its number alone, and may come twice, late or not at all. What a
job writes and its own end belong into one transaction: then a killed process leaves all or nothing, and the task that
comes again sees which.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from celery import Task, shared_task
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from psycopg2.sql import SQL, Identifier

from accounts.api.problems import NoRoom, has_no_room
from materials.claiming import ClaimedElsewhere, claimed
from materials.enqueuing import enqueue
from materials.jobs import Job

NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can do it: try again once the queue is back."
MOST_TRIES = 3
REFUSED = f"The database could not do it, {MOST_TRIES} times: try again later."
DIED = f"Worker processes died over it, {MOST_TRIES} times."
J = TypeVar("J", bound=Job)
State = Job.State
Tell = Callable[[str, int, int], None]


class JobError(Exception):
    """Why a job cannot be done, for whoever asked for it."""


def afresh(**more: Any) -> dict[str, Any]:
    """The fields of a job that is asked for, the first time or again."""
    start = {"state": State.WAITING, "step": "", "done": 0, "total": 0, "tries": 0, "error": "", "finished_at": None}
    return start | more


def send(task: str, job: Job) -> None:
    """Once the transaction is committed; without a queue the job has failed."""
    transaction.on_commit(lambda: _send(task, job))


def _send(task: str, job: Job) -> None:
    if not enqueue(task, [job.pk]):
        give_up(job, NO_QUEUE)


def end(job: Job, state: str, **more: Any) -> bool:
    """False where it has ended already, or was taken back: then nobody waits for what it did."""
    mine = under_way(type(job)._default_manager.filter(pk=job.pk))
    return bool(mine.update(**{"state": state, "step": "", "error": "", "finished_at": timezone.now()} | more))


def give_up(job: Job, why: str) -> bool:
    return end(job, State.FAILED, error=why)


def under_way(jobs: QuerySet[J]) -> QuerySet[J]:
    return jobs.exclude(state__in=jobs.model.ENDS)


@dataclass(frozen=True)
class Procedure(Generic[J]):
    """How jobs of one kind are done.

    `do` raises JobError with the reason where it cannot be done; where it raises anything else, `verb` says what could
    not be done. `died` is the reason of a job that kills its process. `fail` ends a job for a reason, and says False
    where it was taken back.
    """

    task: str
    model: type[J]
    do: Callable[[J], None]
    verb: str
    died: str = DIED
    fail: Callable[[J, str], bool] = give_up
    related: tuple[str, ...] = ("asked_by",)
    only: Q = Q()

    def unfinished(self) -> QuerySet[J]:
        return under_way(self.model._default_manager.filter(self.only))


@contextmanager
def telling(job: Job) -> Iterator[Tell]:
    """Says the step, and what is done of all, on a connection of its own: what the job itself writes is seen by nobody
    before it is committed. Nothing waits or fails for it."""
    own, table = connections.create_connection(DEFAULT_DB_ALIAS), Identifier(job._meta.db_table)
    update = SQL("SET lock_timeout = 10; UPDATE {} SET step = %s, done = %s, total = %s WHERE id = %s").format(table)

    def tell(step: str, done: int, total: int) -> None:
        with suppress(DatabaseError), own.cursor() as cursor:
            cursor.execute(update, [step, done, total, job.pk])

    try:
        yield tell
    finally:
        own.close()


def carry_out(procedure: Procedure[J], pk: int) -> None:
    """The task: nothing where the job has ended or was taken back. ClaimedElsewhere while another process is at it."""
    with claimed(procedure.model._meta.db_table, pk):
        jobs = procedure.unfinished().filter(pk=pk)
        if not jobs.update(tries=F("tries") + 1):
            return
        job = jobs.select_related(*procedure.related).get()
        try:
            if job.tries > MOST_TRIES:
                raise JobError(job.error or procedure.died)
            procedure.do(job)
        except DatabaseError:
            with suppress(DatabaseError):
                jobs.update(error=REFUSED)
            raise  # It is tried again.
        except JobError as error:
            procedure.fail(job, str(error))
        except Exception as error:
            if has_no_room(error):
                procedure.fail(job, NoRoom.default_detail)
            elif procedure.fail(job, f"It could not be {procedure.verb}: {error}"):
                raise


def task_of(procedure: Procedure[J]) -> Task[[int], None]:
    @shared_task(
        name=procedure.task, acks_late=True, reject_on_worker_lost=True, max_retries=10, retry_backoff=True,
        autoretry_for=(DatabaseError, ClaimedElsewhere),
    )  # fmt: skip
    def carry(pk: int) -> None:
        carry_out(procedure, pk)

    return carry


def unfinished(procedure: Procedure[Any]) -> list[int]:
    return list(procedure.unfinished().values_list("pk", flat=True))


def take_up(*procedures: Procedure[Any]) -> None:
    """Ask again for what a killed worker or an emptied queue left. What another process is at, is left to it."""
    for procedure in procedures:
        enqueue(procedure.task, unfinished(procedure))
    connections.close_all()
