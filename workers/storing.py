"""Explanations and metric values as Parquet files: streamed in, streamed out, whole or not at all."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import pyarrow
import pyarrow.parquet

ROWS_AT_ONCE = 512
EXPLANATIONS = pyarrow.schema(
    [
        ("text_id", pyarrow.string()),
        ("method", pyarrow.string()),
        ("params", pyarrow.string()),
        ("target", pyarrow.int32()),
        ("predicted", pyarrow.int32()),
        ("probability", pyarrow.float64()),
        ("words", pyarrow.list_(pyarrow.string())),
        ("offsets", pyarrow.list_(pyarrow.list_(pyarrow.int32()))),
        ("scores", pyarrow.list_(pyarrow.float64())),
        ("seconds", pyarrow.float64()),
        # Of every label, in the order of the labels in the file's metadata.
        ("probabilities", pyarrow.list_(pyarrow.float64())),
        # Pieces of no word, such as [CLS].
        ("special_pieces", pyarrow.list_(pyarrow.string())),
        ("special_scores", pyarrow.list_(pyarrow.float64())),
        # What scoring needs, and what tells how far to trust a map.
        ("completeness_error", pyarrow.float64()),
        ("seed", pyarrow.int64()),
        ("text", pyarrow.string()),
        ("language", pyarrow.string()),
        # What people marked, for the metrics that compare with it: [start, end] or [start, end, weight] each.
        ("rationale", pyarrow.list_(pyarrow.list_(pyarrow.float64()))),
    ]
)
SCORES = pyarrow.schema(
    [
        ("text_id", pyarrow.string()),
        ("method", pyarrow.string()),
        ("metric", pyarrow.string()),
        ("params", pyarrow.string()),
        ("value", pyarrow.float64()),
        # Why a value is missing, and which of several maps of one method it belongs to.
        ("status", pyarrow.string()),
        ("method_params", pyarrow.string()),
        ("target", pyarrow.int32()),
    ]
)
# What the file says of the classifier; `score` insists on the same weights.
HASH_KEY = "weights_hash"


class StoredError(Exception):
    """Why a file of explanations cannot be read, and what to do."""


@contextmanager
def table_writer(
    path: Path, schema: pyarrow.Schema, about: Mapping[str, str]
) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A function that takes rows; the file appears at the end, and not at all if anything fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    rows: list[dict[str, Any]] = []
    try:
        with pyarrow.parquet.ParquetWriter(unfinished, schema.with_metadata(dict(about))) as writer:

            def flush() -> None:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=writer.schema))
                rows.clear()

            def write(row: dict[str, Any]) -> None:
                rows.append(row)
                if len(rows) == ROWS_AT_ONCE:
                    flush()

            yield write
            flush()
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    finally:
        Path(unfinished).unlink(missing_ok=True)


def as_json(params: Mapping[str, Any]) -> str:
    return json.dumps(params, sort_keys=True)


def read_hash(path: Path) -> str:
    """The hash of the weights that the explanations were made with; StoredError if the file is no such file."""
    try:
        schema = pyarrow.parquet.read_schema(path)
    except FileNotFoundError as error:
        raise StoredError(f"{path} is not there: check the path.") from error
    except (pyarrow.ArrowException, OSError) as error:
        raise StoredError(f"{path} is no Parquet file: give the file that `explain` wrote.") from error
    missing = [name for name in ("text_id", "method", "params", "target", "scores", "text") if name not in schema.names]
    if missing:
        raise StoredError(f"{path} has no column {missing[0]}: give the file that `explain` wrote.")
    about: dict[bytes, bytes] = schema.metadata or {}
    return about.get(HASH_KEY.encode(), b"").decode()


def read_about(path: Path) -> dict[str, str]:
    """What the file says of the classifier."""
    about: dict[bytes, bytes] = pyarrow.parquet.read_schema(path).metadata or {}
    return {key.decode(): value.decode() for key, value in about.items()}


def count_rows(path: Path) -> int:
    return int(pyarrow.parquet.read_metadata(path).num_rows)


def read_explanations(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of explanations, in bounded memory."""
    with pyarrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
            yield from batch.to_pylist()
