"""report.json: every number of the report, for programs."""

from collections.abc import Iterator

from reports.files.kind import File, FileKind, Parcel, text_file
from reports.reporting import as_json


def make(parcel: Parcel) -> Iterator[File]:
    yield text_file("report.json", as_json(parcel.report))


MACHINE = FileKind(
    "machine",
    "For programs",
    ("report.json",),
    "Every number of the report as JSON: fractions from 0 to 1, null with a status where a value is undefined.",
    make,
)
