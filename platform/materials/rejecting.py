"""The list of rejected rows as a CSV that is safe to open in a spreadsheet."""

import csv
from collections.abc import Callable
from typing import Any, Protocol

from analysis.presets.escaping import escape_cell
from materials.checking import Rejection

HEADER = ["line", "column", "reason", "text"]


class Writable(Protocol):
    def write(self, text: str, /) -> Any: ...


def rejection_writer(file: Writable) -> Callable[[Rejection], None]:
    """Writes the header at once, and a row for every rejection it is called with."""
    writer = csv.writer(file)
    writer.writerow(HEADER)

    def write(rejection: Rejection) -> None:
        writer.writerow([rejection.line, *map(escape_cell, rejection[1:])])

    return write
