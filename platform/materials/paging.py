"""The headers of a Parquet file's pages, which say how much each unpacks into.

They are written in Thrift's compact protocol (github.com/apache/parquet-format, PageHeader; read 2026-11). pyarrow
believes them and does not show them.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

# Statistics may stand in a header, of values as long as they like.
LONGEST_HEADER = 2**20
FIRST_LOOK = 2**12
MOST_PAGES, DEEPEST = 200_000, 8
TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
UNPACKED, PACKED = 2, 3
# The three kinds of page that hold values, and where their encoding is told.
DATA, DICTIONARY, DATA_2 = 5, 7, 8
ENCODINGS = {DATA: 2, DICTIONARY: 2, DATA_2: 4}


class PageError(Exception):
    """No page header stands where there should be one."""


class Page(NamedTuple):
    unpacked: int
    values: int
    encoding: int


def pages_of(file: BinaryIO, start: int, length: int) -> Iterator[Page]:
    """Those of one column chunk. PageError where they cannot be read, or do not end."""
    at, end, count = start, start + length, 0
    while at < end:
        count += 1
        if count > MOST_PAGES:
            raise PageError("it has too many pages")
        header, size = _header(file, at)
        unpacked, packed = _number(header.get(UNPACKED)), _number(header.get(PACKED))
        yield _page(header, unpacked)
        at += size + packed


def _page(header: dict[int, Any], unpacked: int) -> Page:
    for kind, where in ENCODINGS.items():
        if isinstance(header.get(kind), dict):
            return Page(unpacked, _number(header[kind].get(1)), _number(header[kind].get(where)))
    return Page(unpacked, 0, 0)


def _number(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise PageError("a page's header says no size")
    return value


def _header(file: BinaryIO, at: int) -> tuple[dict[int, Any], int]:
    """And how many bytes it takes."""
    for most in (FIRST_LOOK, LONGEST_HEADER):
        file.seek(at)
        reader = _Reader(file.read(most))
        try:
            return reader.struct(), reader.at
        except IndexError:
            continue
    raise PageError("a page's header does not end")


class _Reader:
    """IndexError past the end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        value = self.data[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise PageError("a number in a page's header does not end")

    def integer(self) -> int:
        raw = self.varint()
        return (raw >> 1) ^ -(raw & 1)

    def skip(self, count: int) -> None:
        self.at += count
        if self.at > len(self.data):
            raise IndexError

    def struct(self, depth: int = 0) -> dict[int, Any]:
        found: dict[int, Any] = {}
        field = 0
        while head := self.byte():
            field = field + (head >> 4) if head >> 4 else self.integer()
            found[field] = self.value(head & 0x0F, depth)
        return found

    def value(self, kind: int, depth: int) -> Any:
        if depth > DEEPEST:
            raise PageError("a page's header goes too deep")
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (LIST, SET):
            return self._list(depth + 1)
        if kind in (BYTE, DOUBLE, BINARY):
            return self.skip({BYTE: 1, DOUBLE: 8}.get(kind) or self.varint())
        if kind == MAP or kind > STRUCT:
            raise PageError("a page's header holds what none has")
        return self.integer()

    def _list(self, depth: int) -> None:
        head = self.byte()
        count, kind = head >> 4, head & 0x0F
        for _ in range(self.varint() if count == 15 else count):
            self.skip(1) if kind in (TRUE, FALSE) else self.value(kind, depth)
