"""All saliency maps of a dataset as a stream, in the form in which they can be imported again."""

import errno
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
from django.db.models import QuerySet

from catalogue.imported import is_imported
from catalogue.methods import METHODS
from materials.models import Classifier, Dataset, Explanation, ImportedMethod

Row = dict[str, Any]
# So that maps computed here are told from others of the same name once they are imported elsewhere.
COMPUTED = "computed by Peekaword"
BATCH = 500
SCHEMA = pyarrow.schema(
    [
        ("text_id", pyarrow.string()),
        ("classifier", pyarrow.string()),
        ("method", pyarrow.string()),
        ("params", pyarrow.string()),
        ("source", pyarrow.string()),
        ("signed", pyarrow.bool_()),
        ("target", pyarrow.string()),
        ("words", pyarrow.list_(pyarrow.string())),
        ("offsets", pyarrow.list_(pyarrow.list_(pyarrow.int32()))),
        ("scores", pyarrow.list_(pyarrow.float64())),
        ("special_pieces", pyarrow.list_(pyarrow.string())),
        ("special_scores", pyarrow.list_(pyarrow.float64())),
        ("completeness_error", pyarrow.float64()),
        ("seed", pyarrow.int64()),
        ("seconds", pyarrow.float64()),
        ("versions", pyarrow.string()),
        ("text", pyarrow.string()),
    ]
)
KEPT = ("params", "scores", "special", "completeness_error", "seed", "seconds", "versions")


def maps_of(dataset: Dataset, classifier: Classifier | None = None) -> QuerySet[Explanation]:
    maps = Explanation.objects.filter(text__dataset=dataset)
    return maps.filter(classifier=classifier) if classifier else maps


def map_rows(
    dataset: Dataset, classifier: Classifier | None = None, maps: QuerySet[Explanation] | None = None
) -> Iterator[Row]:
    """Those given, or all, in the order in which they were made, through a server-side cursor."""
    imported = {row.name: row for row in ImportedMethod.objects.filter(team=dataset.team)}
    found = (maps_of(dataset, classifier) if maps is None else maps).order_by("pk").values(
        "method", "target", "starts", "ends", "text__key", "text__content", "classifier__slug",
        "classifier__label_names", *KEPT,
    )  # fmt: skip
    for one in found.iterator(chunk_size=BATCH):
        content, spans = one["text__content"], list(zip(one["starts"], one["ends"], strict=True))
        yield {
            "text_id": one["text__key"],
            "classifier": one["classifier__slug"],
            **_method(one["method"], one["params"], imported),
            "target": one["classifier__label_names"][one["target"]],
            "words": [content[start:end] for start, end in spans],
            "offsets": [list(span) for span in spans],
            **{name: one[name] for name in KEPT},
            "text": content,
        }


def _method(name: str, params: Row, imported: dict[str, ImportedMethod]) -> Row:
    if is_imported(name) and name in imported:
        row = imported[name]
        return {"method": row.title, "source": row.source, "signed": row.signed}
    signed = name not in METHODS or METHODS[name].signed_with(params)
    return {"method": name, "source": COMPUTED, "signed": signed}


def as_jsonl(rows: Iterable[Row]) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def as_parquet(rows: Iterable[Row]) -> Iterator[bytes]:
    sink, iterator = _Sink(), iter(rows)
    with pyarrow.parquet.ParquetWriter(sink, SCHEMA) as writer:
        while batch := list(islice(iterator, BATCH)):
            writer.write_table(pyarrow.Table.from_pylist(list(map(_flat, batch)), schema=SCHEMA))
            yield sink.take()
    yield sink.take()


def _flat(row: Row) -> Row:
    """Without objects and mixed lists, which Parquet has not."""
    return {
        **row,
        **{name: json.dumps(row[name], ensure_ascii=False) for name in ("params", "versions")},
        "special_pieces": [piece for piece, _ in row["special"]],
        "special_scores": [score for _, score in row["special"]],
    }


class _Sink:
    """A file that hands on what was written to it."""

    closed = False

    def __init__(self) -> None:
        self.written, self.position = bytearray(), 0

    def write(self, data: bytes) -> int:
        self.written += data
        self.position += len(data)
        return len(data)

    def tell(self) -> int:
        return self.position

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def take(self) -> bytes:
        taken = bytes(self.written)
        self.written.clear()
        return taken


WRITERS: dict[str, Callable[[Iterable[Row]], Iterator[bytes]]] = {"jsonl": as_jsonl, "parquet": as_parquet}


def write(kind: str, path: Path, rows: Iterable[Row]) -> None:
    """The file is there only when it is whole."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "it is no ordinary file", str(path))
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with part.open("wb") as out:
            out.writelines(WRITERS[kind](rows))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
