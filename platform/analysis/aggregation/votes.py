"""Votes as arrays of numbers: which worker gave which task which label. Every aggregation starts from these."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray

COLUMNS = ("task", "worker", "label")
# Numbers held in one table of tasks x labels, or of workers x labels x labels.
MOST_CELLS = 60_000_000
# Shares closer than this are a tie: what rounding leaves must not decide.
TIE = 1e-9


class TooManyLabelsError(ValueError):
    """Labels are so many that a table by label would not fit in memory: they are no categories."""


@dataclass(frozen=True)
class Votes:
    """n votes in canonical order (task, worker, label), so that the order of rows never changes a result.

    task_of, worker_of, label_of: (n,) places in `tasks`, `workers` and `labels`, each in ascending order.
    Several votes of a worker on a task count each.
    """

    task_of: IntArray
    worker_of: IntArray
    label_of: IntArray
    tasks: pd.Index
    workers: pd.Index
    labels: pd.Index

    @property
    def n(self) -> int:
        return len(self.task_of)

    @cached_property
    def cell_of(self) -> IntArray:
        """(n,) where the vote stands in a flattened table of tasks x labels."""
        return self.task_of * len(self.labels) + self.label_of

    @cached_property
    def n_by_worker(self) -> FloatArray:
        return np.bincount(self.worker_of, minlength=len(self.workers)).astype(float)

    def by_label(self, weights: FloatArray | None = None) -> FloatArray:
        """Sum of the votes' weights (one each) by task and label: (tasks, labels)."""
        shape = len(self.tasks), len(self.labels)
        sums = np.bincount(self.cell_of, weights, minlength=shape[0] * shape[1]).reshape(shape)
        return sums.astype(float, copy=False)

    def by_task(self, weights: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(self.task_of, weights, minlength=len(self.tasks)), dtype=float)

    def by_worker(self, weights: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(self.worker_of, weights, minlength=len(self.workers)), dtype=float)

    def own(self, posterior: FloatArray) -> FloatArray:
        """(n,) what a table (tasks, labels) holds of the label voted for."""
        return posterior.ravel()[self.cell_of]

    @cached_property
    def shares(self) -> FloatArray:
        """(tasks, labels) share of the task's votes."""
        return normalised(self.by_label())

    @cached_property
    def agreement(self) -> FloatArray:
        """(n,) 1 where the vote is for the task's majority, 1/m where that is one of m tied labels, otherwise 0."""
        first = self.shares >= self.shares.max(axis=1, keepdims=True) - TIE
        return self.own(normalised(first.astype(float)))


def read_votes(frame: pd.DataFrame) -> Votes:
    """Votes of a table with columns task, worker, label; rows without a label are gaps and left out.

    Raises ValueError where a column is missing, no row has a label, or a row with one lacks its task or worker;
    TooManyLabelsError where tasks x labels exceed MOST_CELLS.
    """
    absent = [name for name in COLUMNS if name not in frame.columns]
    if absent:
        raise ValueError(f"Votes need the columns {', '.join(COLUMNS)}; {', '.join(absent)} missing.")
    given = frame.loc[frame["label"].notna(), list(COLUMNS)]
    if given.empty:
        raise ValueError("There is no vote: no row has a label.")
    if given[["task", "worker"]].isna().to_numpy().any():
        raise ValueError("A vote lacks its task or its worker.")
    (task_of, tasks), (worker_of, workers), (label_of, labels) = (_numbered(given[name]) for name in COLUMNS)
    order = np.lexsort((label_of, worker_of, task_of))
    votes = Votes(task_of[order], worker_of[order], label_of[order], tasks, workers, labels)
    check_size(len(tasks) * len(labels), votes)
    return votes


def check_size(cells: int, votes: Votes) -> None:
    """Raises TooManyLabelsError where a table of so many cells is more than memory should hold."""
    if cells > MOST_CELLS:
        raise TooManyLabelsError(
            f"{len(votes.labels):,} different labels are too many to aggregate as categories; group them first."
        )


def normalised(table: FloatArray) -> FloatArray:
    """Each row divided by its sum."""
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def choose(posterior: FloatArray) -> IntArray:
    """(tasks,) the likeliest label; of labels that tie, the first in ascending order."""
    highest = posterior.max(axis=1, keepdims=True)
    return np.asarray((posterior >= highest - TIE).argmax(axis=1))


def _numbered(column: pd.Series) -> tuple[IntArray, pd.Index]:
    codes, values = pd.factorize(column)
    values = pd.Index(values)
    order = np.array(sorted(range(len(values)), key=lambda place: _rank(values[place])), dtype=np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[codes], values[order]


def _rank(value: Hashable) -> tuple[bool, object]:
    """Numbers by size before all else by its letters."""
    is_number = isinstance(value, int | float | np.number)
    return not is_number, value if is_number else str(value)
