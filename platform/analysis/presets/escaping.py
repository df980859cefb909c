"""Text cells that no spreadsheet takes for a formula, and back; and rows that every reader takes for one row each."""

import csv
from typing import Any, Protocol

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_cell(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula; `unescape_cell` gives the text back exactly."""
    return "'" + text if text.lstrip("'").startswith(_FORMULA_STARTS) else text


def unescape_cell(cell: str) -> str:
    escaped = cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_STARTS)
    return cell[1:] if escaped else cell


class _Out(Protocol):
    def write(self, line: str, /) -> Any: ...


class LineFeeds:
    """The csv module quotes what holds a character of its own line end, and no other: a carriage return of a text's
    would stay bare, and part its row in two. So it writes both, and the return goes."""

    def __init__(self, out: _Out) -> None:
        self.out = out

    def write(self, line: str) -> Any:
        return self.out.write(line.removesuffix("\r\n") + "\n")


def csv_writer(out: _Out) -> Any:
    """As `csv.writer`, with lines that end in a line feed."""
    return csv.writer(LineFeeds(out), lineterminator="\r\n")
