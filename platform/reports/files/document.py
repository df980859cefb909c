"""report.pdf: the report as a document, with page numbers, text that can be selected and tags for screen readers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reports.files.figures import black_on_white
from reports.files.kind import Drawing, File, FileKind, Parcel
from reports.files.methods import write_methods
from reports.files.typesetting import to_pdf
from reports.tabulating import Table

TEMPLATE = Path(__file__).with_name("report.typ")
# Of more rows nobody reads; CSV has them all.
MOST_ROWS = 200
# These come with the typesetter; scripts that they lack are set in what the machine has.
FONTS, MONO = ["Libertinus Serif"], ["DejaVu Sans Mono"]
PROSE = ("text", "status")


def make(parcel: Parcel) -> Iterator[File]:
    yield File("report.pdf", typeset(parcel))


def typeset(parcel: Parcel) -> bytes:
    sources = {"data.json": json.dumps(_data(parcel), ensure_ascii=False)}
    sources |= {f"{figure.name}.svg": black_on_white(figure.svg) for figure in _wide(parcel)}
    return to_pdf(TEMPLATE.read_text(encoding="utf-8"), sources)


def _wide(parcel: Parcel) -> list[Drawing]:
    return [figure for figure in parcel.figures if not figure.narrow]


def _data(parcel: Parcel) -> dict[str, Any]:
    meta = parcel.report["meta"]
    return {
        "fonts": FONTS,
        "mono": MONO,
        "title": parcel.title,
        "opening": parcel.opening,
        "warnings": [warning["message"] for warning in parcel.report.get("warnings", [])],
        "summary": parcel.summary,
        "figures": [{"file": f"{figure.name}.svg", "title": figure.title} for figure in _wide(parcel)],
        "tables": [_table(table) for table in parcel.tables],
        "methods": write_methods(parcel.report) if parcel.of_people else "",
        "notes": parcel.notes,
        "facts": [[name, str(value)] for facts in (meta["hashes"], meta["versions"]) for name, value in facts.items()],
    }


def _table(table: Table) -> dict[str, Any]:
    longest = max(range(len(table.columns)), key=lambda at: _width(table, at)) if len(table.columns) > 2 else -1
    shown = table.shown()[:MOST_ROWS]
    left = len(table.rows) - len(shown)
    return {
        "title": table.title,
        "columns": [
            {"label": column.label, "text": column.is_text, "prose": at == longest and column.kind in PROSE}
            for at, column in enumerate(table.columns)
        ],
        "rows": [[cell for _, cell in row] for row in shown],
        "cut": f"{left:,} more rows are in tables/{table.name}.csv." if left else "",
    }


def _width(table: Table, at: int) -> int:
    return max(len(row[at][1]) for row in table.shown()[:MOST_ROWS])


DOCUMENT = FileKind(
    "document",
    "Document",
    ("report.pdf",),
    "The report as a PDF to read, print and archive: figures, tables, methods and notes, with text to select.",
    make,
)
