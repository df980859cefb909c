"""The rows of each mixed model as CSV, with a script that fits the same model in R."""

import io
from collections.abc import Iterator
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from analysis.presets.escaping import LineFeeds, escape_cell
from reports.files.kind import File, FileKind, Parcel, text_file
from reports.modelling import Asked, of_confounds, of_methods

SCRIPT = "check/models.R"
PACKAGES = {"linear": "lme4", "logistic": "lme4", "ordinal": "ordinal"}


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.study is None:
        return
    asked = [one for one in (of_methods(parcel.study), of_confounds(parcel.study)) if one is not None]
    fitted = [one for one in asked if parcel.report.get(one.key, {}).get("status") == "ok"]
    for one in fitted:
        yield text_file(f"check/{one.key}.csv", _as_csv(one))
    if fitted:
        yield text_file(SCRIPT, "\n".join(_lines(one, parcel) for one in fitted))


def _as_csv(one: Asked) -> str:
    """Words safe to open in a spreadsheet, numbers as numbers."""
    rows = one.design.frame
    safe = {str(name): column if is_numeric_dtype(column) else column.map(_escaped) for name, column in rows.items()}
    out = io.StringIO()
    lines: Any = LineFeeds(out)
    pd.DataFrame(safe).to_csv(lines, index=False, lineterminator="\r\n")
    return out.getvalue()


def _escaped(cell: object) -> str:
    return escape_cell(str(cell))


def _lines(one: Asked, parcel: Parcel) -> str:
    design, found = one.design, parcel.report[one.key]
    levels = [
        f'd${term.name} <- relevel(factor(d${term.name}), ref = "{column.reference}")'
        for term in design.terms
        for column in design.columns
        if column.term == term.name and column.reference
    ]
    return "\n".join(
        [
            f"# {found['formula']}",
            f"library({PACKAGES[one.model]})",
            f'd <- read.csv("{one.key}.csv", colClasses = c(worker = "factor", text = "factor"))',
            *dict.fromkeys(levels),
            f"print(summary({found['formula']}))",
            "",
        ]
    )


CHECK = FileKind(
    "check",
    "Models in R",
    ("check/*.csv", "check/models.R"),
    "The rows of each mixed model, and an R script that fits the same with lme4 or ordinal.",
    make,
)
