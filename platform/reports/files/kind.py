"""What a kind of file is, and what files are made of. Adding one: a module here and a line in FILES."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from analysis.study import Study
from reports.tabulating import Table

Report = dict[str, Any]


class Drawing(NamedTuple):
    """A figure as SVG, whose ink is the page's."""

    name: str
    title: str
    svg: str

    @property
    def narrow(self) -> bool:
        """Drawn for a phone; the same as another for a page."""
        return self.name.endswith("_narrow")


@dataclass(frozen=True)
class Parcel:
    """A report with all that is drawn and said of it, so that no file computes anything anew.

    study: what the report was made of; None where only the report is known.
    """

    report: Report
    title: str
    opening: str
    summary: list[str]
    notes: list[str]
    tables: list[Table]
    figures: list[Drawing]
    study: Study | None = field(default=None, compare=False)

    @property
    def of_people(self) -> bool:
        """Whether people judged; reports of cues know no workers."""
        return "methods" in self.report


class File(NamedTuple):
    name: str
    content: bytes


@dataclass(frozen=True)
class FileKind:
    """`names` are the paths it writes, * for what varies; `about` is a sentence for people.

    `make` yields nothing where the report has nothing for it. Same parcel, same bytes: no clock, no chance, no locale.
    """

    key: str
    label: str
    names: tuple[str, ...]
    about: str
    make: Callable[[Parcel], Iterator[File]]


def text_file(name: str, text: str) -> File:
    return File(name, text.encode())
