"""Every table as CSV, in full precision, and as LaTeX, as it is read."""

from collections.abc import Iterator

from reports.files.kind import File, FileKind, Parcel, text_file
from reports.tabulating import as_csv, as_latex


def make(parcel: Parcel) -> Iterator[File]:
    for table in parcel.tables:
        yield text_file(f"tables/{table.name}.csv", as_csv(table))
        yield text_file(f"tables/{table.name}.tex", as_latex(table))


TABLES = FileKind(
    "tables",
    "Tables",
    ("tables/*.csv", "tables/*.tex"),
    "Every table: CSV with full precision, intervals as two columns, and LaTeX (booktabs) rounded as on the page.",
    make,
)
