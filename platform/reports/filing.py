"""A report as files, on disk or in one archive: same report, same bytes."""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from analysis.study import Study
from reports.cue_wording import open_cue_report
from reports.files import FILES, File, Parcel
from reports.files.kind import Drawing, Report
from reports.files.manifest import digest_of, list_all
from reports.presenting import draw_figures, explain_methods, make_figures, make_tables, summarise
from reports.shelving import shelve
from reports.wording import open_report

# The first moment that a ZIP file can name: what was packed when is nothing that a report says.
EPOCH = (1980, 1, 1, 0, 0, 0)
READABLE = 0o644 << 16


def pack(report: Report, figures: dict[str, str], study: Study | None = None) -> Parcel:
    """All that files are made of. `figures`: SVG by name, names ending in `_narrow` for a phone."""
    titles = {figure.name: figure.title for figure in make_figures(report)}
    return Parcel(
        report=report,
        title=str(report["meta"].get("source", "study")),
        opening=open_report(report) if "methods" in report else open_cue_report(report),
        summary=summarise(report),
        notes=explain_methods(report),
        tables=make_tables(report),
        figures=[Drawing(name, titles.get(name, name), svg) for name, svg in figures.items()],
        study=study,
    )


def make_files(parcel: Parcel, progress: Callable[[str], None] = lambda _label: None) -> Iterator[File]:
    """Every file, kind by kind; the manifest of all comes last. `progress` is told the label of each kind."""
    digests = []
    for kind in FILES:
        progress(kind.label)
        for file in kind.make(parcel):
            digests.append(digest_of(file))
            yield file
    yield list_all(digests)


def find_file(parcel: Parcel, name: str) -> File | None:
    """The file of this name, without making those of other kinds."""
    kinds = [kind for kind in FILES if any(fnmatchcase(name, pattern) for pattern in kind.names)]
    return next((file for kind in kinds for file in kind.make(parcel) if file.name == name), None)


def write_report(report: Report, out: Path, study: Study | None = None) -> list[Path]:
    """Write every file of the report below `out`."""
    return shelve(make_files(pack(report, draw_figures(report), study)), out)


def archive(files: Iterable[File], folder: str) -> bytes:
    """A ZIP of the files below `folder`, without a trace of when and where it was packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for file in files:
            entry = zipfile.ZipInfo(f"{folder}/{file.name}", EPOCH)
            entry.external_attr, entry.compress_type, entry.create_system = READABLE, zipfile.ZIP_DEFLATED, 3
            out.writestr(entry, file.content)
    return packed.getvalue()
