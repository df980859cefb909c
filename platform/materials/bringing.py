"""Files of texts are brought in by worker processes: the web stores the file and the job that says what is asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import may_edit
from accounts.auditing import Act, record
from accounts.models import User
from materials import carrying
from materials.carrying import JobError, Procedure, Tell, afresh, end, send, telling
from materials.checking import Columns
from materials.errors import FileError
from materials.importing import Outcome, find_or_create_dataset, import_texts
from materials.models import Dataset, Import
from materials.reading import Row
from materials.rejecting import rejection_writer
from materials.uploading import KEPT_SECONDS, Upload, UploadGone, open_upload

TASK = "materials.import_file"
DIED = f"{carrying.DIED[:-1]}: the file may be too large for their memory. Split it, and try again."
GONE = "The dataset that the texts were for has been deleted: choose the file again."
LEFT = "Whoever asked for this may not change the team's datasets any more."
STEP = "Reading and checking"
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
    given = afresh(asked=asked.as_json(), rows=upload.table().count_rows(), dataset=into)
    fixed = {"team": upload.team(user), "asked_by": user, "file": upload.details.file}
    with transaction.atomic():
        row, made = Import.objects.get_or_create(upload=upload.name, defaults=fixed | given)
        again = Import.objects.filter(pk=row.pk, state__in=[State.REJECTED, State.FAILED])
        if made or again.update(**given):
            send(TASK, row)
    row.refresh_from_db()
    return row


def import_of(upload: Upload) -> Import | None:
    return Import.objects.select_related("dataset").filter(upload=upload.name).first()


def forget(upload: Upload) -> None:
    """Taken back: a task that comes later finds nothing to do."""
    Import.objects.filter(upload=upload.name).exclude(state=State.DONE).delete()


def dismiss(user: User, token: str) -> None:
    """The user's own, also where its file is gone by now."""
    Import.objects.filter(asked_by=user, upload=f"{user.pk}-{token}").exclude(state=State.DONE).delete()


def imports_of(user: User) -> QuerySet[Import]:
    """The user's own that are under way, or that wait for an answer while their file is kept."""
    since = timezone.now() - timedelta(seconds=KEPT_SECONDS)
    return Import.objects.filter(asked_by=user, created_at__gte=since).exclude(state=State.DONE)


def rows_read(row: Import) -> int | None:
    """So far, in this try; None until a worker process is at it."""
    return row.done if row.step else None


def _bring(row: Import) -> None:
    try:
        upload, asked = open_upload(row.upload), Asked.from_json(row.asked)
        _refuse(row, upload)
        with telling(row) as tell:
            written = _import(row, upload, asked, tell)
    except (FileError, UploadGone) as error:
        raise JobError(str(error)) from error
    if written:
        upload.drop()


def _import(row: Import, upload: Upload, asked: Asked, tell: Tell) -> bool:
    with upload.rejecting() as file, transaction.atomic():
        with transaction.atomic():
            dataset = row.dataset or find_or_create_dataset(row.team, asked.dataset, asked.language)
            rows = _told(upload.table().rows(), lambda n: tell(STEP, n, row.rows))
            reject = rejection_writer(file)
            outcome = import_texts(dataset, rows, asked.columns, asked.labels, asked.accept_rest, reject)
            # Nor is a dataset left behind that was made for nothing.
            transaction.set_rollback(not outcome.written)
        _settle(row, dataset, outcome)
    return outcome.written


def _refuse(row: Import, upload: Upload) -> None:
    """Where it is not done after all."""
    if row.asked_by is None or not may_edit(row.asked_by, row.team):
        raise JobError(LEFT)
    if upload.details.dataset and row.dataset is None:
        raise JobError(GONE)


def _settle(row: Import, dataset: Dataset, outcome: Outcome) -> None:
    first = [list(rejection) for rejection in outcome.first]
    counts: dict[str, Any] = {"taken": outcome.taken, "rejected": outcome.rejected, "first": first}
    if not outcome.written:
        end(row, State.REJECTED, **counts)
    elif end(row, State.DONE, dataset=dataset, **counts):
        record(row.asked_by, row.team, Act.IMPORTED, dataset, file=row.file, texts=outcome.taken)
    else:
        # It was taken back while it was under way.
        transaction.set_rollback(True)


def _told(rows: Iterable[Row], tell: Callable[[int], None]) -> Iterator[Row]:
    """The same rows, counted where the page sees it."""
    tell(0)
    for number, row in enumerate(rows, start=1):
        yield row
        if number % TOLD_EVERY == 0:
            tell(number)


IMPORTING = Procedure(TASK, Import, _bring, "imported", DIED, related=("team", "dataset", "asked_by"))
