"""Tables from elsewhere, as text cells with the number of the line that each row begins on.

Comma, semicolon, tab or bar; UTF-8 or UTF-16, with or without a byte order mark, gzipped or not; quoted cells may hold
anything. JSON lines and Parquet files are read into the same shape.
"""

import csv
import gzip
import io
import json
import math
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.presets.escaping import unescape_cell
from analysis.presets.reading import UTF_16, InputError, read_json

SEPARATORS = (",", ";", "\t", "|")
# Files of these separators often quote nothing, so that a lone mark is one.
UNQUOTED = ("\t", "|")
NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
# Cells that say that there is nothing. "None" and "-" are not among them: both are labels of some data.
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "<NA>", "NULL", "null")
MOST_TOLD = 5
# Numbers are below: the squares and sums of larger ones are none.
TOO_LARGE = 1e100
LARGEST_UNPACKED = 2**31


@dataclass(frozen=True)
class Layout:
    """How a file is written, where it has to be said. Empty: found out."""

    separator: str = ""
    encoding: str = ""
    decimal: str = ""
    missing: tuple[str, ...] = MISSING


@dataclass(frozen=True)
class Table:
    """`frame` holds text, stripped, None where a cell is missing; its index is the line that each row begins on."""

    path: Path
    frame: pd.DataFrame
    layout: Layout
    hash: str

    def error(self, problem: str, line: int | None = None, column: str | None = None) -> InputError:
        return InputError(self.path, problem, line=line, column=column)


def read_table(path: Path, layout: Layout | None = None) -> Table:
    """The file as a table. InputError with the line where it is none, or where it has no row."""
    layout = layout or Layout()
    kinds = [suffix.lower() for suffix in path.suffixes]
    if kinds[-1:] == [".parquet"]:
        content = _bytes(path)
        columns, lines, cells = _parquet(path)
    else:
        content = _bytes(path)
        text = _decoded(path, content, layout.encoding)
        by_line = {".jsonl", ".ndjson"} & set(kinds)
        columns, lines, cells = _of_objects(path, text) if by_line else _separated(path, text, layout.separator)
    if not cells:
        raise InputError(path, "holds no rows.")
    read, index = _Read(layout.missing), pd.Index(lines)
    kept = {
        name: pd.Series([read[cell] for cell in column], index, dtype=object)
        for name, column in zip(columns, zip(*cells, strict=True), strict=True)
    }
    return Table(path, pd.DataFrame(kept), layout, sha256(content).hexdigest())


class _Read(dict[str | None, str | None]):
    """What a cell of the file holds, worked out once for each that is different."""

    def __init__(self, missing: Iterable[str]) -> None:
        super().__init__({None: None})
        self.missing = {*missing, ""}

    def __missing__(self, cell: str) -> str | None:
        """Without blanks around it, and without what our exports put before what could be a formula."""
        bare = unescape_cell(cell.strip()).strip()
        self[cell] = None if bare in self.missing else bare
        return self[cell]


def told_lines(lines: Iterable[int]) -> str:
    """Line numbers for a message: the first few, and how many more there are."""
    known = sorted(lines)
    shown = ", ".join(f"{line:,}" for line in known[:MOST_TOLD])
    more = f" and {len(known) - MOST_TOLD:,} more" if len(known) > MOST_TOLD else ""
    return f"line{'' if len(known) == 1 else 's'} {shown}{more}"


def numbers(table: Table, column: str, what: str = "a number") -> pd.Series:
    """A column's numbers, NaN where missing; InputError where a cell is none. A single comma is a decimal comma."""
    cells = table.frame[column]
    return pd.Series([_number(table, line, column, cell, what) for line, cell in cells.items()], cells.index, float)


def plain(number: float) -> str:
    """A number as people write it: 5, not 5.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _number(table: Table, line: Any, column: str, cell: str | None, what: str) -> float:
    if cell is None:
        return math.nan
    written = cell.replace(".", "").replace(",", ".") if table.layout.decimal == "," else cell
    if table.layout.decimal != "." and "." not in written and written.count(",") == 1:
        written = written.replace(",", ".")
    try:
        number = float(written) if "_" not in written else math.nan
    except ValueError:
        number = math.nan
    if not abs(number) < TOO_LARGE:
        limit = f" below {TOO_LARGE:g}" if math.isfinite(number) else ""
        raise table.error(f"expected {what}{limit}, found {cell!r}.", int(line), column)
    return number


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise InputError(path, "is a folder; give the path of one file.")
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        content = _unpacked(path) if packed else path.read_bytes()
    except FileNotFoundError:
        raise InputError(path, "no such file.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(path, f"cannot be unpacked: {error}. Is it whole?") from None
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}.") from None
    return content


def _unpacked(path: Path) -> bytes:
    """A few bytes may unpack into more than any memory holds."""
    with gzip.open(path) as file:
        content = file.read(LARGEST_UNPACKED + 1)
    if len(content) > LARGEST_UNPACKED:
        raise InputError(path, f"unpacks into more than {LARGEST_UNPACKED // 2**20:,} MB. Split it.")
    return content


def _decoded(path: Path, content: bytes, encoding: str) -> str:
    marked = "utf-16" if content[:2] in UTF_16 else "utf-8-sig"
    try:
        return content.decode(encoding or marked)
    except UnicodeDecodeError as error:
        problem = f"is not {(encoding or marked).removesuffix('-sig').upper()} (byte {error.start}). Save it as UTF-8, "
        raise InputError(path, problem + 'or name its encoding in a mapping file: encoding = "cp1252".') from None
    except (LookupError, ValueError):
        raise InputError(path, f"there is no encoding {encoding!r}; utf-8, cp1252 and utf-16 are usual.") from None


Cells = tuple[list[str], list[int], Sequence[Sequence[str | None]]]


def _separated(path: Path, text: str, separator: str) -> Cells:
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise InputError(path, "holds a character that no text has (NUL). Is it a text file?", line=line)
    if not text.strip():
        raise InputError(path, "is empty.")
    if "\n" not in text:  # As old spreadsheets end their lines.
        text = text.replace("\r", "\n")
    if said := re.match(r"sep=(.)[ ]*\r?\n", text):  # Some spreadsheets say so in a line of its own.
        separator, text = separator or said[1], "\n" + text[said.end() :]
    separator = separator or _guess_separator(text)
    rows = _rows(path, text, separator)
    if _is_even(rows):
        rows = _without_empty(rows)
    header = [name.strip() for name in rows[0][1]]
    _check_header(path, header, rows[0][0])
    body = rows[1:]
    for line, cells in body:
        if len(cells) != len(header):
            raise InputError(path, _miscounted(len(header), len(cells), separator), line=line)
    return header, [line for line, _ in body], [cells for _, cells in body]


def _guess_separator(text: str) -> str:
    """What cuts the first line into the most columns."""
    first = next(line for line in io.StringIO(text) if line.strip()).replace("\r", "")
    counts = {separator: len(next(csv.reader([first], delimiter=separator))) for separator in SEPARATORS}
    return max(counts, key=lambda separator: counts[separator])


Rows = list[tuple[int, list[str]]]


class _BadQuotes(Exception):
    def __init__(self, line: int) -> None:
        self.line = line


def _rows(path: Path, text: str, separator: str) -> Rows:
    """Rows with the lines they begin on, by the rules of quotation marks; or, where these lead nowhere, without."""
    try:
        rows = _quoted_rows(text, separator)
    except _BadQuotes as bad:
        plain_rows = _plain_rows(text, separator)
        if separator in UNQUOTED and _is_even(plain_rows):
            return plain_rows
        problem = "a quotation mark opens that is not closed as it should be; within quotes they are doubled."
        raise InputError(path, problem, line=bad.line) from None
    if _is_even(rows):
        return rows
    plain_rows = _plain_rows(text, separator)
    return plain_rows if _is_even(plain_rows) else rows


def _is_even(rows: Rows) -> bool:
    return len({len(cells) for _, cells in rows}) == 1


def _without_empty(rows: Rows) -> Rows:
    """Without the columns that have neither name nor cell, which spreadsheets write where cells were emptied."""
    kept = [place for place in range(len(rows[0][1])) if any(cells[place].strip() for _, cells in rows)]
    return rows if len(kept) == len(rows[0][1]) else [(line, [cells[n] for n in kept]) for line, cells in rows]


def _quoted_rows(text: str, separator: str) -> Rows:
    """A row of no cell at all is none. _BadQuotes with the line that the row of the fault begins on."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: Rows = []
    begins = 1
    try:
        for cells in reader:
            if any(cells) and (len(cells) > 1 or cells[0].strip()):
                rows.append((begins, cells))
            begins = reader.line_num + 1
    except csv.Error:
        raise _BadQuotes(begins) from None
    return rows


def _plain_rows(text: str, separator: str) -> Rows:
    """Rows of a file that quotes nothing, so that marks within cells are marks."""
    lines = enumerate(text.replace("\r\n", "\n").split("\n"), start=1)
    return [(number, line.split(separator)) for number, line in lines if line.strip()]


def _check_header(path: Path, header: list[str], line: int) -> None:
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        raise InputError(path, f"two columns are called {twice[0]!r}; rename one.", line=line)
    if header.count("") > 1:
        raise InputError(path, "more than one column has no name; name them all.", line=line)


def _miscounted(expected: int, found: int, separator: str) -> str:
    kind = NAMES.get(separator, repr(separator))
    return f"expected {expected} fields as in the first line, found {found} (separated by {kind})."


def _parquet(path: Path) -> Cells:
    try:
        frame = pd.read_parquet(path)
    except (OSError, ValueError) as error:
        raise InputError(path, f"is not a Parquet file: {error}.") from None
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    return [str(name) for name in frame.columns], list(range(1, len(rows) + 1)), rows


def _objects(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # Not splitlines(): it would also cut at the line separators that texts may hold.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = read_json(line)
        except ValueError as error:
            raise InputError(path, str(error), line=number) from None
        if not isinstance(row, dict):
            raise InputError(path, "expected an object, one a line.", line=number)
        yield number, row


def _of_objects(path: Path, text: str) -> Cells:
    rows = list(_objects(path, text))
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    return columns, [line for line, _ in rows], [[_cell(row.get(name)) for name in columns] for _, row in rows]


def _cell(value: Any) -> str | None:
    """A value as it would stand in a text file."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float):
        return plain(value)
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else str(value)
