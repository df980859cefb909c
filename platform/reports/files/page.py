"""report.html: the report as one page that needs nothing from anywhere."""

from collections.abc import Iterator

from reports.files.kind import File, FileKind, Parcel, text_file
from reports.writing import render_page


def make(parcel: Parcel) -> Iterator[File]:
    figures = {figure.name: figure.svg for figure in parcel.figures}
    yield text_file("report.html", render_page(parcel.report, figures))


PAGE = FileKind(
    "page",
    "Page",
    ("report.html",),
    "The report as one page with its figures and tables; it asks for nothing from anywhere and can be sent on.",
    make,
)
