"""Small files that say that they are large: made here, byte by byte."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

MB = 2**20


def parquet(path: Path, columns: dict[str, Any], **how: Any) -> Path:
    pyarrow.parquet.write_table(pyarrow.table(columns), path, **how)
    return path


def one_long_value(path: Path) -> Path:
    """40 MB of one character in a few thousand bytes."""
    return parquet(path, {"text": ["a" * (40 * MB)], "label": ["pos"]}, compression="zstd")


def one_value_often(path: Path) -> Path:
    """Each row is 16 MB of the same: a thousand rows would be 16 GB."""
    text = pyarrow.array(["b" * (16 * MB)]).dictionary_encode()
    rows = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 1000, pyarrow.int32()), text.dictionary)
    return parquet(path, {"text": rows, "label": ["pos"] * 1000}, compression="zstd", dictionary_pagesize_limit=64 * MB)


def one_row_of_many(path: Path) -> Path:
    """A list of ten thousand times the same megabyte."""
    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 10_000, pyarrow.int32()), ["c" * MB])
    rows = pyarrow.ListArray.from_arrays(pyarrow.array([0, 10_000], pyarrow.int32()), words)
    return parquet(
        path, {"text": ["a"], "words": rows, "scores": [[0.0]]}, compression="zstd", dictionary_pagesize_limit=64 * MB
    )


def growing_values(path: Path) -> Path:
    """Each value repeats the one before: what is told of it is a number."""
    return parquet(
        path, {"text": ["d" * 50_000] * 1000, "label": ["x"] * 1000}, use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY", "label": "PLAIN"}, compression="zstd",
    )  # fmt: skip


def nothing_but_nulls(path: Path, rows: int = 9_000_000) -> Path:
    """Millions of rows in a few bytes, all of one page."""
    empty = pyarrow.nulls(rows, pyarrow.string())
    return parquet(path, {"text": empty}, row_group_size=rows, data_page_size=2**30, write_batch_size=rows,
                   max_rows_per_page=rows)  # fmt: skip


def lying(path: Path) -> Path:
    """The first page says that it unpacks into two gigabytes."""
    parquet(path, {"text": ["abc"] * 10, "label": ["pos"] * 10}, use_dictionary=False, compression="none")
    data = path.read_bytes()
    start = pyarrow.parquet.read_metadata(path).row_group(0).column(0).data_page_offset
    # The header's first fields: the kind of page (none but zero), and what it unpacks into.
    assert data[start : start + 3] == b"\x15\x00\x15"
    at = start + 3
    while data[at] & 0x80:
        at += 1
    path.write_bytes(data[: start + 3] + b"\xfe\xff\xff\xff\x0f" + data[at + 1 :])
    return path
