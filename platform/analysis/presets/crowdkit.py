"""A table of labels, as crowd-kit takes it: task, worker, label, and the truth where it is known.

Columns may go by other usual names (question, annotator, answer, ...). A matrix with a row an item and a column a
worker is read too, gaps in it being empty, NA, NaN, -, . or *.
"""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from analysis.presets.assembling import LEVELS, Notice, Plan, assemble
from analysis.presets.matrices import ITEMS_BY_WORKERS, Melted, melt
from analysis.presets.naming import LABEL, TASK, TRUTH, WORKER, find_columns, plain_name, tell_columns
from analysis.presets.reading import ChoiceError, InputError
from analysis.presets.tables import Table, read_table, told_lines
from analysis.study import Study

NEEDED = ("text", "worker", "label")


def read_crowdkit(path: Path, *, level: str = "nominal", truth: Path | None = None) -> Study:
    """The labels as a study without methods, at a level of measurement.

    truth: a file of two columns, task and truth, beside the labels.
    InputError with line and column where a name is missing, or where a level needs numbers and a label is none.
    """
    if level not in LEVELS:
        raise ChoiceError(path, f"there is no level {level!r}; there are {', '.join(LEVELS)}.")
    table, columns, told = _long(read_table(path))
    if truth is not None:
        table, more = _with_truth(table, columns["text"], truth)
        columns, told = columns | {"expected": _TRUTH}, (*told, *more)
    return assemble(table, Plan(columns=columns, level=level, meta={"preset": "crowdkit"}, notices=told))


def _long(table: Table) -> tuple[Table, dict[str, str], tuple[Notice, ...]]:
    header = list(table.frame.columns)
    columns = find_columns(header)
    if all(role in columns for role in NEEDED):
        unused = [name for name in header if name and name not in columns.values()]
        aside = (("unused_columns", f"Columns left aside: {', '.join(unused)}."),) if unused else ()
        return table, columns, (*tell_columns(columns), *aside)
    if _names_a_long_table(header) or len(header) < 3:
        problem = "expected the columns task, worker and label, or usual names of them; found "
        problem += f"{', '.join(name or 'one without a name' for name in header)}. A mapping file can say which is "
        raise InputError(table.path, problem + "which (docs/analysing.md).", line=1)
    melted = melt(table)
    names = {"text": "task", "worker": "worker", "label": "label"}
    return melted.table, names, _tell_matrix(melted)


def _names_a_long_table(header: list[str]) -> bool:
    """Whether two of the three columns are there, so that the third is missing, and no worker has a column."""
    plain = {plain_name(name) for name in header}
    return sum(bool(plain & set(names)) for names in (TASK, WORKER, LABEL)) > 1


def _tell_matrix(melted: Melted) -> tuple[Notice, ...]:
    sides = ("an item", "a worker") if melted.shape == ITEMS_BY_WORKERS else ("a worker", "an item")
    told = f"Read as a matrix: a row {sides[0]}, a column {sides[1]}"
    told += "" if melted.named else ", rows named by their number"
    return (("matrix", f"{told}; {melted.gaps:,} cells are gaps."),)


_TRUTH = "truth of the task"


def _with_truth(table: Table, task: str, path: Path) -> tuple[Table, tuple[Notice, ...]]:
    known = read_table(path)
    columns = find_columns(list(known.frame.columns))
    value = columns.get("expected") or columns.get("label")
    if "text" not in columns or value is None:
        names = ", ".join(known.frame.columns)
        raise known.error(f"expected the columns task and truth (or {', '.join(TRUTH[1:3])}), found {names}.", 1)
    truths = known.frame[known.frame[value].notna()]
    unlike = truths.groupby(columns["text"])[value].nunique()
    if (unlike > 1).any():
        name = unlike[unlike > 1].index[0]
        lines = told_lines(truths.index[truths[columns["text"]] == name])
        raise known.error(f"two truths for the task {name!r} ({lines}); keep one.", column=value)
    by_task = truths.drop_duplicates(columns["text"]).set_index(columns["text"])[value]
    joined = table.frame.assign(**{_TRUTH: table.frame[task].map(by_task)})
    joined[_TRUTH] = joined[_TRUTH].astype(object).where(joined[_TRUTH].notna(), None)
    return replace(table, frame=joined), _tell_truth(path, table.frame[task], by_task)


def _tell_truth(path: Path, tasks: pd.Series, truths: pd.Series) -> tuple[Notice, ...]:
    judged = set(tasks.dropna())
    without = len(judged - set(truths.index))
    if not judged & set(truths.index):
        raise ChoiceError(path, "names no task that the labels are of.")
    return (("tasks_without_truth", f"{without:,} of {len(judged):,} tasks have no truth."),) if without else ()
