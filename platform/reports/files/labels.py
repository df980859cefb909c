"""The label of each task by every aggregation, where people gave labels and no method was judged."""

import io
from collections.abc import Iterator

from analysis.aggregation.labelling import aggregate
from analysis.presets.escaping import csv_writer, escape_cell
from analysis.study import LABELS, Study
from reports.files.kind import File, FileKind, Parcel, text_file

COLUMNS = {"text": "task", "worker": "worker", "label": "label"}


def make(parcel: Parcel) -> Iterator[File]:
    study = parcel.study
    if study is not None and study.protocol == LABELS and not study.methods and study.judgments is not None:
        yield text_file("tables/labels.csv", labels_csv(study, parcel.report["meta"]["seed"]))


def labels_csv(study: Study, seed: int) -> str:
    """One row a task, one column an aggregation; text safe to open in a spreadsheet."""
    assert study.judgments is not None
    labels = aggregate(study.judgments.rename(columns=COLUMNS)[list(COLUMNS.values())], seed=seed)
    out = io.StringIO()
    writer = csv_writer(out)
    writer.writerow(labels.columns)
    cells = labels.astype(object).where(labels.notna(), "")
    writer.writerows([escape_cell(str(cell)) for cell in row] for row in cells.itertuples(index=False, name=None))
    return out.getvalue()


AGGREGATED = FileKind(
    "labels",
    "Labels",
    ("tables/labels.csv",),
    "Of labels without methods: one row a task, one column an aggregation.",
    make,
)
