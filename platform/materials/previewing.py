"""Between the upload of a file and its import: its first rows, what its columns seem to be, and the import itself."""

from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import User
from materials.characters import UNSTORABLE
from materials.checking import Columns, find_alike
from materials.forms import MappingForm
from materials.importing import Outcome, Table, find_or_create_dataset, import_texts
from materials.models import Dataset
from materials.rejecting import rejection_writer
from materials.uploading import Upload

SHOWN_ROWS = 8
SHOWN_CHARACTERS = 160


def preview(table: Table) -> dict[str, Any]:
    rows = list(islice(table.rows(), SHOWN_ROWS))
    cells = [(row.line, row.problem, [_short(row.columns.get(name, "")) for name in table.columns]) for row in rows]
    return {"columns": table.columns, "rows": cells, "about": max(table.count_rows(), len(rows))}


def _short(cell: str) -> str:
    """What no page can hold, and would be rejected, shows as the mark for it."""
    shown = UNSTORABLE.sub("\ufffd", cell[: SHOWN_CHARACTERS + 1])
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[:SHOWN_CHARACTERS] + "…"


def guess(upload: Upload, table: Table, into: Dataset | None) -> dict[str, str]:
    """What the form starts with: columns that bear the usual names, and a name for the dataset."""
    found = {field: find_alike(table.columns, field) for field in Columns._fields}
    found["text_language"] = found.pop("language")
    if into:
        return found | {"dataset": into.name, "language": into.language}
    return found | {"dataset": Path(upload.details.file).stem.replace("_", " ")}


def import_upload(user: User, upload: Upload, form: MappingForm, accept_rest: bool) -> tuple[Dataset, Outcome]:
    """Import, and drop the file; or, where rows were rejected, keep it, with the list of them beside it."""
    data = form.cleaned_data
    with upload.rejecting() as file, transaction.atomic():
        dataset = upload.into(user) or find_or_create_dataset(upload.team(user), data["dataset"], data["language"])
        rows = upload.table().rows()
        outcome = import_texts(dataset, rows, form.columns(), form.labels(), accept_rest, rejection_writer(file))
        # Nor is a dataset left behind that was made for nothing.
        transaction.set_rollback(not outcome.written)
    if outcome.written:
        upload.finish(dataset)
    return dataset, outcome
