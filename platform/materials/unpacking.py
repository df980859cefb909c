"""Parquet without surprises: a small file may say that it unpacks into more than any memory holds.

What a reader would take for granted, the sizes and counts in the headers of all pages, is looked at first. Then text
is read as the file keeps it, each value once (as a dictionary), and counted before it becomes as many strings as the
file says. Within these bounds a file costs its reader about a gigabyte at the most, whatever it holds.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from materials.errors import FileError
from materials.paging import PageError, pages_of

MB = 2**20
# Whatever writes Parquet makes pages of about one megabyte, DuckDB of up to a hundred.
LARGEST_PAGE, LARGEST_WHOLE = 256 * MB, 4096 * MB
MOST_VALUES, MOST_NESTED_VALUES = 2**23, 2**28
MOST_CHUNKS, MOST_COLUMNS = 100_000, 1000
LONGEST_FIXED = 2**16
# Of one row, as text and as values.
LARGEST_ROW, MOST_IN_ROW = 64 * MB, 2**22
# A value is told by how much of the one before it comes again: a few bytes may stand for any number of characters.
HIDING = {7: "DELTA_BYTE_ARRAY"}
REMEDY = "write it again with the usual settings of pandas, pyarrow or polars, in smaller row groups"


def check_parquet(path: Path) -> pyarrow.parquet.FileMetaData:
    """What the file says of itself. FileError where it is none, or cannot be read within bounds."""
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            metadata = file.metadata
        _check_columns(path, metadata)
        with path.open("rb") as raw:
            whole = sum(_check_chunk(path, raw, chunk) for chunk in _chunks(path, metadata))
    except PageError as error:
        raise FileError(path, f"is damaged, or no Parquet file: {error}") from error
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(path, f"is damaged, or no Parquet file: {error}") from error
    if whole > LARGEST_WHOLE:
        raise FileError(path, f"unpacks into more than {LARGEST_WHOLE // MB:,} MB: split it")
    return metadata


class _Chunk(NamedTuple):
    start: int
    length: int
    nested: bool
    name: str


def _check_columns(path: Path, metadata: pyarrow.parquet.FileMetaData) -> None:
    if metadata.num_columns > MOST_COLUMNS:
        raise FileError(path, f"has {metadata.num_columns:,} columns; the most is {MOST_COLUMNS:,}: leave some out")
    if metadata.num_columns * metadata.num_row_groups > MOST_CHUNKS:
        raise FileError(path, f"has {metadata.num_row_groups:,} row groups: {REMEDY.replace('smaller', 'fewer')}")
    for at in range(metadata.num_columns):
        column = metadata.schema.column(at)
        if column.physical_type == "FIXED_LEN_BYTE_ARRAY" and column.length > LONGEST_FIXED:
            raise FileError(path, f"has values of {column.length:,} bytes in {column.path}: leave that column out")


def _chunks(path: Path, metadata: pyarrow.parquet.FileMetaData) -> Iterator[_Chunk]:
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for at in range(row_group.num_columns):
            chunk, nested = row_group.column(at), metadata.schema.column(at).max_repetition_level > 0
            start, dictionary = chunk.data_page_offset, chunk.dictionary_page_offset
            start = dictionary if dictionary and 0 < dictionary < start else start
            yield _Chunk(start, chunk.total_compressed_size, nested, chunk.path_in_schema)


def _check_chunk(path: Path, raw: Any, chunk: _Chunk) -> int:
    """How many bytes its pages unpack into."""
    whole = values = 0
    for page in pages_of(raw, chunk.start, chunk.length):
        whole, values = whole + page.unpacked, values + page.values
        if page.unpacked > LARGEST_PAGE:
            raise FileError(path, f"has a page of {page.unpacked // MB:,} MB in {chunk.name}: {REMEDY}")
        if page.values > MOST_VALUES or (chunk.nested and values > MOST_NESTED_VALUES):
            raise FileError(path, f"has {values:,} values at once in {chunk.name}: {REMEDY}")
        if page.encoding in HIDING:
            raise FileError(path, f"has {chunk.name} in the encoding {HIDING[page.encoding]}: {REMEDY}")
    return whole


def parquet_rows(path: Path, at_once: int) -> Iterator[dict[str, Any]]:
    """Row by row. FileError where the file is damaged, or a row is too large."""
    number = 0
    try:
        with pyarrow.parquet.ParquetFile(path, read_dictionary=_texts(path)) as file:
            for batch in file.iter_batches(batch_size=at_once):
                for part in _parts(path, batch, number):
                    yield from part.to_pylist()
                number += batch.num_rows
    except (pyarrow.ArrowException, OSError, UnicodeError) as error:
        raise FileError(path, f"is damaged: {error}", number + 1) from error


def _texts(path: Path) -> list[str]:
    schema = pyarrow.parquet.read_metadata(path).schema
    columns = [schema.column(at) for at in range(len(schema.names))]
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def _parts(path: Path, batch: pyarrow.RecordBatch, before: int) -> Iterator[pyarrow.RecordBatch]:
    """As many rows at once as become strings within bounds."""
    if all(size <= LARGEST_ROW and count <= MOST_IN_ROW for size, count in map(_weight, batch.columns)):
        yield batch
    elif batch.num_rows == 1:
        raise FileError(path, f"holds more than {LARGEST_ROW // MB} MB or {MOST_IN_ROW:,} values", before + 1)
    else:
        half = batch.num_rows // 2
        yield from _parts(path, batch.slice(0, half), before)
        yield from _parts(path, batch.slice(half), before + half)


def _weight(column: Any) -> tuple[int, int]:
    """In bytes of text, and in values."""
    kind = column.type
    if pyarrow.types.is_dictionary(kind):
        lengths = pyarrow.compute.take(_lengths(column.dictionary), column.indices)
        return int(pyarrow.compute.sum(lengths).as_py() or 0), len(column)
    if pyarrow.types.is_struct(kind):
        return _together(_weight(part) for part in column.flatten())
    if pyarrow.types.is_map(kind):
        return _together([_weight(column.keys), _weight(column.items)])
    if pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind) or pyarrow.types.is_fixed_size_list(kind):
        size, count = _weight(column.flatten())
        return size, count + len(column)
    return column.nbytes, len(column)


def _lengths(values: Any) -> Any:
    return pyarrow.compute.cast(pyarrow.compute.binary_length(values), pyarrow.int64())


def _together(weights: Any) -> tuple[int, int]:
    found = list(weights)
    return sum(size for size, _ in found), sum(count for _, count in found)
