"""Tables of texts, row by row in bounded memory: CSV, TSV, JSON lines and Parquet, every character kept."""

import codecs
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pyarrow.parquet
from django.conf import settings

from materials.characters import UNSTORABLE
from materials.encodings import detect_encoding
from materials.errors import FileError
from materials.unpacking import MOST_COLUMNS, check_parquet, parquet_rows

# No text may be this long; a cell that is, comes from a quote that was never closed.
LONGEST_CELL = 2**24
csv.field_size_limit(LONGEST_CELL)

KINDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
EXPECTED = "expected .csv, .tsv, .jsonl or .parquet"


class _Quoted(csv.excel):
    strict = True


class _Plain(csv.excel):
    quoting = csv.QUOTE_NONE


NOT_TABLES = {
    b"PK\x03\x04": "is an Excel workbook or a zip archive: save the sheet as CSV (UTF-8), or unpack it, first",
    b"\xd0\xcf\x11\xe0": "is an old Excel workbook: save the sheet as CSV (UTF-8) first",
    b"\x1f\x8b": "is compressed with gzip: unpack it first",
    b"%PDF": "is a PDF: " + EXPECTED,
}


class Row(NamedTuple):
    """A row as text, cell by cell. `problem` says why it cannot be used; such a row is to be rejected."""

    line: int
    columns: dict[str, str]
    problem: str = ""


@dataclass(frozen=True)
class Table:
    """`columns` are the names in the file's order; `rows` starts anew on every call."""

    path: Path
    kind: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]

    def count_rows(self) -> int:
        """About how many, for a bar of progress: cells may hold line breaks."""
        if self.kind == "parquet":
            return int(pyarrow.parquet.read_metadata(self.path).num_rows)
        lines, last = 0, b"\n"
        with self.path.open("rb") as file:
            for block in iter(lambda: file.read(2**20), b""):
                lines, last = lines + block.count(b"\n"), block[-1:]
        return max(0, lines + (last != b"\n") - (self.kind in ("csv", "tsv")))


def read_rows(path: Path, encoding: str = "", quoting: bool = True) -> Iterator[Row]:
    """The rows of a file, one by one. FileError where the file as a whole cannot be read."""
    return open_table(path, encoding, quoting).rows()


def open_table(path: Path, encoding: str = "", quoting: bool = True) -> Table:
    """Look at a file: its kind, encoding and columns. `quoting` False takes quotes as plain characters."""
    kind = kind_of(path)
    if kind == "parquet":
        return _parquet(path)
    encoding = _known(path, encoding) if encoding else detect_encoding(path)
    return _json_lines(path, encoding) if kind == "jsonl" else _delimited(path, kind, encoding, quoting)


def kind_of(path: Path) -> str:
    """csv, tsv, jsonl or parquet, by its first bytes and its name."""
    if path.is_dir():
        raise FileError(path, f"is a folder: {EXPECTED}")
    if not path.exists():
        raise FileError(path, "is not there: check the path")
    start = _first_bytes(path)
    if not start:
        raise FileError(path, "is empty: expected a header and rows")
    if start.startswith(b"PAR1"):
        return "parquet"
    for mark, problem in NOT_TABLES.items():
        if start.startswith(mark):
            raise FileError(path, problem)
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise FileError(path, f"has the ending {path.suffix or '(none)'}: {EXPECTED}; rename it to what it is")
    if kind == "parquet":
        raise FileError(path, "is named like Parquet, but is not: rename it to what it is")
    return kind


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(8)
    except OSError as error:
        raise FileError(path, f"cannot be opened: {error.strerror}") from error


def _known(path: Path, encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        TextIOWrapper(BytesIO(), name)  # Some codecs turn bytes into bytes.
    except LookupError:
        raise FileError(path, f"cannot be read as {encoding!r}: name an encoding such as utf-8 or cp1252") from None
    return "utf-8-sig" if name == "utf-8" else name


def lines_of(path: Path, file: TextIO) -> Iterator[str]:
    """Physical lines with their ends; a file without any is not read into memory whole."""
    number = 0
    try:
        while line := file.readline(LONGEST_CELL):
            number += 1
            if len(line) == LONGEST_CELL:
                raise FileError(path, f"has a line of over {LONGEST_CELL:,} characters: is it {EXPECTED[9:]}?", number)
            yield line
    except UnicodeError as error:
        raise FileError(path, f"cannot be decoded as {file.encoding}: say another encoding", number + 1) from error


def _delimited(path: Path, kind: str, encoding: str, quoting: bool) -> Table:
    with path.open(encoding=encoding, newline="") as file:
        start = next((line for line in lines_of(path, file) if line.strip()), "")
    if start.lstrip().startswith(("{", "[")):
        raise FileError(path, f"looks like JSON, but is named {path.suffix}: rename it to .jsonl", 1)
    delimiter = "\t" if kind == "tsv" else _delimiter(start)
    header = next(_cells(path, encoding, delimiter, quoting), (1, []))[1]
    columns = _checked(path, header)

    def rows() -> Iterator[Row]:
        cells = _cells(path, encoding, delimiter, quoting)
        next(cells)
        yield from _some(path, (_row(line, header, row) for line, row in cells))

    return Table(path, kind, columns, rows)


def _delimiter(header: str) -> str:
    """A comma, unless the header has none but has what some spreadsheets write in its place."""
    return next((mark for mark in (",", ";", "\t") if mark in header), ",")


def _cells(path: Path, encoding: str, delimiter: str, quoting: bool) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row that is not blank."""
    with path.open(encoding=encoding, newline="") as file:
        dialect = _Quoted if quoting else _Plain
        reader = csv.reader(lines_of(path, file), dialect, delimiter=delimiter)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise FileError(path, _quote_problem(error), line) from error
            if cells:
                yield line, cells


def _quote_problem(error: csv.Error) -> str:
    return (
        f"has broken quotes ({error}): a cell that holds a quote, a comma or a new line is wrapped in quotes, "
        "and quotes inside it are doubled; if quotes in this file mean nothing, "
        "tick “Quotes are plain characters” (in a shell, say --no-quoting)"
    )


def _checked(path: Path, header: Sequence[str]) -> tuple[str, ...]:
    if len(header) > MOST_COLUMNS:
        raise FileError(path, f"has {len(header):,} columns; the most is {MOST_COLUMNS:,}: leave some out", 1)
    names = [name for name in header if name.strip()]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise FileError(path, f"has two columns of one name ({', '.join(doubled)}): rename one", 1)
    if UNSTORABLE.search("".join(names)):
        raise FileError(path, "has a column name with a character that no text has: is it in another encoding?", 1)
    if not names:
        raise FileError(path, "has no column names in its first line: expected names such as text and label", 1)
    return tuple(names)


def _row(line: int, header: Sequence[str], cells: Sequence[str]) -> Row:
    if len(cells) != len(header):
        return Row(line, {}, f"has {len(cells)} cells where the header has {len(header)}")
    return Row(line, {name: cell for name, cell in zip(header, cells, strict=True) if name.strip()})


def _some(path: Path, rows: Iterator[Row]) -> Iterator[Row]:
    """At least one, and no more than is allowed."""
    number = 0
    for number, row in enumerate(rows, start=1):
        if number > settings.MAX_ROWS:
            raise FileError(path, f"has more than {settings.MAX_ROWS:,} rows: split it, or raise MAX_ROWS", row.line)
        yield row
    if not number:
        raise FileError(path, "has a header, but no rows")


def _json_lines(path: Path, encoding: str) -> Table:
    def rows() -> Iterator[Row]:
        with path.open(encoding=encoding, newline="\n") as file:
            numbered = enumerate(lines_of(path, file), start=1)
            yield from _some(path, (_json_row(number, line) for number, line in numbered if line.strip()))

    first = next(rows())
    if first.problem:
        remedy = "; a JSON list becomes such lines by: jq -c '.[]'" if path.suffix.lower() == ".json" else ""
        raise FileError(path, f"{first.problem}{remedy}", first.line)
    return Table(path, "jsonl", _checked(path, list(first.columns)), rows)


def _json_row(number: int, line: str) -> Row:
    try:
        # Numbers stay as they are written: a label 1.0 is not the label 1.
        value = json.loads(line, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return Row(number, {}, 'is not JSON: expected one object a line, such as {"text": "..."}')
    if not isinstance(value, dict):
        return Row(number, {}, 'is no object: expected one object a line, such as {"text": "..."}')
    return Row(number, {name: as_text(cell) for name, cell in value.items()})


def _parquet(path: Path) -> Table:
    metadata = check_parquet(path)
    columns = _checked(path, metadata.schema.to_arrow_schema().names)
    return Table(path, "parquet", columns, lambda: _some(path, _parquet_rows(path)))


def _parquet_rows(path: Path) -> Iterator[Row]:
    for number, row in enumerate(parquet_rows(path, 512), start=1):
        try:
            yield Row(number, {name: as_text(cell) for name, cell in row.items()})
        except UnicodeError as error:
            raise FileError(path, f"is damaged: {error}", number) from error


def as_text(cell: Any) -> str:
    """A JSON or Parquet value as a CSV cell would hold it; null is empty, lists and objects are JSON."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, bytes):
        return cell.decode()
    return json.dumps(cell, ensure_ascii=False, default=str)
