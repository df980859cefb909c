"""Between the upload of a file and its import: its first rows, and what its columns seem to be."""

from itertools import islice
from pathlib import Path
from typing import Any

from materials.bringing import Asked
from materials.characters import UNSTORABLE
from materials.checking import Columns, usual_column
from materials.forms import MAPPED, MappingForm
from materials.models import Dataset
from materials.reading import Table
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
    found = {field: usual_column(table.columns, field) for field in Columns._fields}
    found["text_language"] = found.pop("language")
    if into:
        return found | {"dataset": into.name, "language": into.language}
    return found | {"dataset": Path(upload.details.file).stem.replace("_", " ")}


def filled_in(asked: Asked) -> dict[str, str]:
    """What the form starts with after a try that did not come to its end."""
    columns = dict(zip(MAPPED, asked.columns, strict=True))
    return columns | {"dataset": asked.dataset, "language": asked.language, "allowed": ", ".join(asked.labels)}


def asked_by(form: MappingForm, accept_rest: bool) -> Asked:
    data = form.cleaned_data
    return Asked(data["dataset"], data["language"], form.columns(), form.labels(), accept_rest)
