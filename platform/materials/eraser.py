"""Data sets in ERASER's format (DeYoung et al. 2020, arXiv 1911.03429): annotations, and documents beside them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from materials.errors import FileError
from materials.reading import Row, Table

DOCUMENTS = "docs"
ANNOTATION = {"annotation_id", "classification", "evidences"}
COLUMNS = ("id", "text", "label", "rationale")


def with_documents(table: Table) -> Table:
    """A table of annotations with the text of each one's document; any other table as it is.

    FileError where there is no folder `docs` beside the file.
    """
    if table.kind != "jsonl" or not set(table.columns) >= ANNOTATION:
        return table
    folder = table.path.parent / DOCUMENTS
    if not folder.is_dir():
        raise FileError(
            table.path, f"holds ERASER annotations, but no folder {DOCUMENTS} with their texts is beside it"
        )
    return replace(table, columns=COLUMNS, rows=lambda: _rows(table, folder))


def _rows(table: Table, folder: Path) -> Iterator[Row]:
    for row in table.rows():
        yield row if row.problem else _joined(row, folder)


def _joined(row: Row, folder: Path) -> Row:
    names = _documents(row)
    if len(names) != 1:
        return Row(row.line, {}, f"has evidence in {len(names)} documents; a text is one document")
    path = folder / names[0]
    if path.parent != folder or not path.is_file():
        return Row(row.line, {}, f"names the document {names[0]!r}, which is not in the folder {folder.name}")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read()
    except (OSError, UnicodeError):
        return Row(row.line, {}, f"names the document {names[0]!r}, which cannot be read as UTF-8")
    cells = (row.columns["annotation_id"], text, row.columns["classification"], row.columns["evidences"])
    return Row(row.line, dict(zip(COLUMNS, cells, strict=True)))


def _documents(row: Row) -> list[str]:
    """The documents that the annotation names; one that names none is called like its document."""
    try:
        groups, named = (json.loads(row.columns.get(name) or "[]") for name in ("evidences", "docids"))
        found = [str(part["docid"]) for group in groups for part in group]
    except (ValueError, TypeError, KeyError, RecursionError):
        # What is wrong with the evidence is told where its tokens are read.
        found, named = [], []
    return sorted({*found, *map(str, named or ())}) or [row.columns["annotation_id"]]
