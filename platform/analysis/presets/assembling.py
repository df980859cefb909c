"""From the rows of a table to a study: what is missing, doubled or no number is found here, whatever the format."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from analysis.presets.tables import Table, numbers, plain, told_lines
from analysis.study import (
    LABELS,
    NO_EXPLANATION,
    PAIRWISE,
    RATING,
    SIMULATION,
    TEXT_COLUMNS,
    TOPK_GUESS,
    WORD_IMPORTANCE,
    Study,
    in_order,
    study_of_judgments,
)

NUMERIC_LEVELS = ("ordinal", "interval", "ratio")
LEVELS = ("nominal", *NUMERIC_LEVELS)
# Protocols whose score is the answer itself, whatever is expected.
OPINIONS = (RATING, WORD_IMPORTANCE)
PREFERRED = {"first": 1.0, "tie": 0.5, "second": 0.0}
KEYS = ["text", "method", "other", "k", "display", "worker"]
# What a row can be read for, besides the numbers that may have moved its answer.
ROLES = (
    "text", "worker", "label", "method", "other", "k", "display", "expected", "score", "response_ms", "content",
    "language", "late",
)  # fmt: skip
# What a protocol cannot do without, in a column or for all rows.
NEEDED_FOR: dict[str, tuple[str, ...]] = {
    TOPK_GUESS: ("method", "k", "expected"),
    RATING: ("method",),
    PAIRWISE: ("method", "other"),
    **dict.fromkeys(SIMULATION, ("method", "expected")),
}
UNBOUNDED = ("full_text", NO_EXPLANATION)
MISSED = {"method": "a method", "other": "a method", "k": "a number of words", "expected": "the right label"}
Notice = tuple[str, str]


@dataclass(frozen=True)
class Plan:
    """What the columns of a table are.

    columns: role (one of ROLES) to the table's column; text, worker and label have to be among them.
    covariates: our name of what may have moved answers, to the table's column; numbers where `numeric` names them.
    constants: role to a value that holds for all rows.
    """

    columns: dict[str, str]
    protocol: str = LABELS
    level: str = "nominal"
    covariates: dict[str, str] = field(default_factory=dict)
    numeric: tuple[str, ...] = ()
    constants: dict[str, str] = field(default_factory=dict)
    source_names: dict[str, str] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def assemble(table: Table, plan: Plan) -> Study:
    """The study; of a worker's second answer to the same thing the first in the file counts, and that is told.

    InputError with line and column where a text, a worker or what the protocol needs is missing, or a number is none.
    """
    for role in ("text", "worker"):
        _require(table, plan.columns[role])
    given, without = _with_labels(table, plan.columns["label"])
    needed = {"method", "other", *NEEDED_FOR.get(plan.protocol, ())} & set(plan.columns)
    for role in sorted(needed):
        _require(_bounded(given, plan) if role == "k" else given, plan.columns[role], MISSED[role])
    rows = _judgments(given, plan)
    rows, doubled = _first_of_each(rows)
    study = study_of_judgments(
        plan.protocol,
        rows,
        source_names=plan.source_names,
        meta={"source": table.path.name, **plan.meta, "hashes": {"file": table.hash}},
        level=plan.level,
        covariates=tuple(in_order(plan.covariates)),
    )
    return replace(study, texts=_texts(given, plan), notices=(*plan.notices, *without, *doubled))


def _bounded(table: Table, plan: Plan) -> Table:
    """The rows in which some of the words were shown: baselines show all or nothing, and have no number of them."""
    if "method" not in plan.columns:
        return table
    return replace(table, frame=table.frame[~table.frame[plan.columns["method"]].isin(UNBOUNDED)])


def _require(table: Table, column: str, what: str = "a name") -> None:
    missing = table.frame[column].isna()
    if missing.any():
        raise table.error(f"expected {what}, found nothing.", _first(missing), column)


def _first(flags: pd.Series) -> int:
    """The line of the first row that is flagged."""
    return int(flags.index.to_numpy()[flags.to_numpy().argmax()])


def _with_labels(table: Table, column: str) -> tuple[Table, tuple[Notice, ...]]:
    """The rows that have a label: the others are gaps."""
    gaps = table.frame[column].isna()
    if gaps.all():
        raise table.error("no row has a label.", column=column)
    if not gaps.any():
        return table, ()
    n = int(gaps.sum())
    verb = "row has no label and is" if n == 1 else "rows have no label and are"
    told = f"{n:,} {verb} left out ({told_lines(gaps.index[gaps])})."
    return replace(table, frame=table.frame[~gaps]), (("missing_labels", told),)


def _judgments(table: Table, plan: Plan) -> pd.DataFrame:
    frame = table.frame
    rows = pd.DataFrame(index=frame.index)
    for role in ("text", "worker", "method", "other", "display"):
        rows[role] = _words(table, plan, role)
    rows["label"] = _labels(table, plan, plan.columns["label"])
    known = "expected" in plan.columns
    rows["expected"] = _labels(table, plan, plan.columns["expected"]) if known else plan.constants.get("expected", "")
    rows["k"] = _whole(table, plan, "k", 1)
    rows["response_ms"] = _milliseconds(table, plan)
    rows["late"] = _whole(table, plan, "late", 0).fillna(0).astype(int)
    rows["score"] = _scores(table, plan, rows)
    for ours, theirs in plan.covariates.items():
        rows[ours] = numbers(table, theirs) if ours in plan.numeric else frame[theirs].fillna("").astype(str)
    return rows


def _words(table: Table, plan: Plan, role: str) -> pd.Series:
    if role in plan.columns:
        return table.frame[plan.columns[role]].fillna("").astype(str)
    return pd.Series(plan.constants.get(role, ""), table.frame.index, dtype=object)


def _labels(table: Table, plan: Plan, column: str) -> pd.Series:
    """Numbers are written one way, so that 5 and 5.0 are the same answer. Empty where there is none."""
    if plan.level not in NUMERIC_LEVELS or plan.protocol == TOPK_GUESS:
        return table.frame[column].fillna("").astype(str)
    what = f"a number, as labels of level {plan.level} are"
    values = numbers(table, column, what)
    if plan.level == "ratio" and (values < 0).any():
        line = _first(values < 0)
        raise table.error("expected no negative number, as labels of level ratio have none.", line, column)
    return values.map(plain, na_action="ignore").astype(object).where(values.notna(), "")


def _whole(table: Table, plan: Plan, role: str, least: int) -> pd.Series:
    if role not in plan.columns:
        return pd.Series(pd.NA, table.frame.index, dtype="Int64")
    column = plan.columns[role]
    values = numbers(table, column, f"a whole number from {least} up")
    wrong = values.notna() & ((values < least) | (values % 1 != 0))
    if wrong.any():
        line = _first(wrong)
        raise table.error(
            f"expected a whole number from {least} up, found {table.frame[column][line]!r}.", line, column
        )
    return values.astype("Int64")


def _milliseconds(table: Table, plan: Plan) -> pd.Series:
    if "response_ms" not in plan.columns:
        return pd.Series(pd.NA, table.frame.index, dtype="Int64")
    return numbers(table, plan.columns["response_ms"]).round().astype("Int64")


def _scores(table: Table, plan: Plan, rows: pd.DataFrame) -> pd.Series:
    """The file's own; otherwise the rating itself, or whether the label is the expected one where that is known."""
    if "score" in plan.columns:
        return numbers(table, plan.columns["score"])
    if plan.protocol == PAIRWISE:
        return _preferred(table, plan, rows["label"])
    if plan.protocol in OPINIONS or (plan.level in NUMERIC_LEVELS and not (rows["expected"] != "").any()):
        return rows["label"].astype(float)
    right = (rows["label"] == rows["expected"]).astype(float)
    return right.where(rows["expected"] != "", math.nan)


def _preferred(table: Table, plan: Plan, labels: pd.Series) -> pd.Series:
    """1, a half or 0 for the first method of a pair."""
    wrong = ~labels.isin(list(PREFERRED))
    if wrong.any():
        line = _first(wrong)
        problem = f"expected {', '.join(PREFERRED)}, found {labels[line]!r}."
        raise table.error(problem, line, plan.columns["label"])
    return labels.map(PREFERRED).astype(float)


def _first_of_each(rows: pd.DataFrame) -> tuple[pd.DataFrame, tuple[Notice, ...]]:
    again = rows.duplicated(KEYS)
    if not again.any():
        return rows, ()
    n = int(again.sum())
    what = "1 judgment is by a worker who had" if n == 1 else f"{n:,} judgments are by workers who had"
    told = (
        f"{what} judged the same before, and left out ({told_lines(rows.index[again])}): the first in the file counts."
    )
    return rows[~again], (("repeated_judgments", told),)


def _texts(table: Table, plan: Plan) -> pd.DataFrame | None:
    """A row a text, where more is known of texts than their names."""
    known = {role: plan.columns[role] for role in ("content", "language") if role in plan.columns}
    if not known and "language" not in plan.constants:
        return None
    rows = pd.DataFrame({"text": table.frame[plan.columns["text"]].astype(str)})
    for role in ("content", "language"):
        rows[role] = _words(table, plan, role)
    return rows[TEXT_COLUMNS].drop_duplicates("text").reset_index(drop=True)
