"""report.html: the report as one page that needs nothing from anywhere."""

from collections.abc import Iterator

from reports.files.kind import File, FileKind, Parcel, text_file


def make(parcel: Parcel) -> Iterator[File]:
    yield text_file("report.html", parcel.page)


PAGE = FileKind(
    "page",
    "Page",
    ("report.html",),
    "The report as one page with its figures and tables; it asks for nothing from anywhere and can be sent on.",
    make,
)
