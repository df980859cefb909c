"""The tidy data that the numbers come from, as Parquet: types are kept, and any language reads it."""

import io
from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reports.files.kind import File, FileKind, Parcel


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.study is None:
        return
    everybody = parcel.study.everybody
    frames = {
        "judgments": parcel.study.judgments,
        "judgments_with_excluded": None if everybody is None else everybody.judgments,
        "verdicts": parcel.study.cells,
        "metrics": parcel.study.metrics,
    }
    for name, frame in frames.items():
        if frame is not None and len(frame):
            yield File(f"data/{name}.parquet", as_parquet(frame))


def as_parquet(frame: pd.DataFrame) -> bytes:
    """Without what pandas writes about itself, which differs from version to version."""
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


PARQUET = FileKind(
    "parquet",
    "Tidy data",
    ("data/*.parquet",),
    "What the numbers come from, one row a judgment, a verdict or a metric's value, as Parquet.",
    make,
)
