"""Files of texts are brought in by worker processes: what takes long survives a closed tab and a killed worker.

The web stores the file and one row that says what is asked. The texts and the end of the row are written in one
transaction, so a killed worker leaves all or nothing, and the task that comes again sees which.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.access import may_edit
from accounts.auditing import Act, record
from accounts.models import User
from materials.checking import Columns
from materials.claiming import claimed
from materials.enqueuing import enqueue
from materials.errors import FileError
from materials.importing import Outcome, find_or_create_dataset, import_texts
from materials.models import Dataset, Import
from materials.reading import Row
from materials.rejecting import rejection_writer
from materials.uploading import KEPT_SECONDS, Upload, UploadGone, open_upload

TASK = "materials.import_file"
NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can import it: try again once the queue is back."
DIED = "Worker processes died over this file, {} times: it may be too large for their memory. Split it, and try again."
GONE = "The dataset that the texts were for has been deleted: choose the file again."
LEFT = "Whoever asked for this may not change the team's datasets any more."
# What is claimed under this number is an import.
LOCKS = 7_263
MOST_TRIES = 3
TOLD_EVERY = 1000
State = Import.State


@dataclass(frozen=True)
class Asked:
    """What is to be made of a file. Without `accept_rest` nothing is written while any row is rejected."""

    dataset: str
    language: str
    columns: Columns
    labels: list[str]
    accept_rest: bool = False

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns)}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Asked":
        return cls(**{**given, "columns": Columns(*given["columns"])})


def ask_import(user: User, upload: Upload, asked: Asked) -> Import:
    """The import of this upload: the one that is under way or done, or a new try."""
    into = upload.into(user)
    given: dict[str, Any] = {
        "asked": asked.as_json(), "rows": upload.table().count_rows(), "dataset": into, "state": State.WAITING,
        "tries": 0, "error": "", "finished_at": None,
    }  # fmt: skip
    fixed = {"team": upload.team(user), "started_by": user, "file": upload.details.file}
    with transaction.atomic():
        row, made = Import.objects.get_or_create(upload=upload.name, defaults=fixed | given)
        again = Import.objects.filter(pk=row.pk, state__in=[State.REJECTED, State.FAILED])
        if made or again.update(**given):
            transaction.on_commit(lambda: _send(row.pk))
    row.refresh_from_db()
    return row


def _send(pk: int) -> None:
    cache.delete(_key(pk))
    if not enqueue(TASK, [pk]):
        _end(pk, State.FAILED, error=NO_QUEUE)


def import_of(upload: Upload) -> Import | None:
    return Import.objects.select_related("dataset").filter(upload=upload.name).first()


def forget(upload: Upload) -> None:
    """Taken back: a task that comes later finds nothing to do."""
    Import.objects.filter(upload=upload.name).exclude(state=State.DONE).delete()


def imports_of(user: User) -> QuerySet[Import]:
    """The user's own that are under way, or that wait for an answer while their file is kept."""
    since = timezone.now() - timedelta(seconds=KEPT_SECONDS)
    return Import.objects.filter(started_by=user, created_at__gte=since).exclude(state=State.DONE)


def unfinished() -> list[int]:
    """What a killed worker or an emptied queue left."""
    return list(Import.objects.filter(state=State.WAITING).values_list("pk", flat=True))


def rows_read(row: Import) -> int | None:
    """So far, in this try; None until a worker process is at it."""
    found: int | None = cache.get(_key(row.pk))
    return found


def carry_out(pk: int) -> None:
    """The task: nothing where it is done or taken back. ClaimedElsewhere while another process is at it."""
    with claimed(LOCKS, pk):
        waiting = Import.objects.filter(pk=pk, state=State.WAITING)
        if not waiting.update(tries=F("tries") + 1):
            return
        row = waiting.select_related("team", "dataset", "started_by").get()
        try:
            _carry_out(row)
        except DatabaseError:
            raise  # It is tried again.
        except (FileError, UploadGone) as error:
            _end(pk, State.FAILED, error=str(error))
        except Exception as error:
            # Of one that was taken back nobody waits to hear.
            if _end(pk, State.FAILED, error=f"It could not be imported: {error}"):
                raise


def _carry_out(row: Import) -> None:
    upload, asked = open_upload(row.upload), Asked.from_json(row.asked)
    refusal = _refusal(row, upload)
    if refusal:
        _end(row.pk, State.FAILED, error=refusal)
        return
    table = upload.table()
    with upload.rejecting() as file, transaction.atomic():
        with transaction.atomic():
            dataset = row.dataset or find_or_create_dataset(row.team, asked.dataset, asked.language)
            rows = _told(row.pk, table.rows())
            reject = rejection_writer(file)
            outcome = import_texts(dataset, rows, asked.columns, asked.labels, asked.accept_rest, reject)
            # Nor is a dataset left behind that was made for nothing.
            transaction.set_rollback(not outcome.written)
        _settle(row, dataset, outcome)
    if outcome.written:
        upload.drop()


def _refusal(row: Import, upload: Upload) -> str:
    """Why it is not done after all; empty where it is."""
    if row.tries > MOST_TRIES:
        return DIED.format(MOST_TRIES)
    if row.started_by is None or not may_edit(row.started_by, row.team):
        return LEFT
    return GONE if upload.details.dataset and row.dataset is None else ""


def _settle(row: Import, dataset: Dataset, outcome: Outcome) -> None:
    first = [list(rejection) for rejection in outcome.first]
    counts: dict[str, Any] = {"taken": outcome.taken, "rejected": outcome.rejected, "first": first}
    if not outcome.written:
        _end(row.pk, State.REJECTED, **counts)
    elif _end(row.pk, State.DONE, dataset=dataset, **counts):
        record(row.started_by, row.team, Act.IMPORTED, dataset, file=row.file, texts=outcome.taken)
    else:
        # It was taken back while it was under way.
        transaction.set_rollback(True)


def _end(pk: int, state: str, **more: Any) -> bool:
    """False where it has been taken back."""
    waiting = Import.objects.filter(pk=pk, state=State.WAITING)
    return bool(waiting.update(state=state, finished_at=timezone.now(), **more))


def _told(pk: int, rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows, counted where the page sees it: not in the database, whose transaction is still open."""
    cache.set(_key(pk), 0, KEPT_SECONDS)
    for number, row in enumerate(rows, start=1):
        yield row
        if number % TOLD_EVERY == 0:
            cache.set(_key(pk), number, KEPT_SECONDS)


def _key(pk: int) -> str:
    return f"import:{pk}"
