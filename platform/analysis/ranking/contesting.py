"""Answers to "which of two?" as counts of contests, to be drawn again by text and by worker."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.arrays import FloatArray, IntArray
from analysis.ranking.bradley_terry import FIRST_WON, SECOND_WON, TIE, Contests

OUTCOMES = {1.0: FIRST_WON, 0.0: SECOND_WON, 0.5: TIE}
LEFT, RIGHT, UNKNOWN = 1, -1, 0


@dataclass(frozen=True)
class Answers:
    """Each answer's text, worker, contest and outcome, by number. Built by `answers_of`."""

    texts: list[str]
    workers: list[str]
    methods: list[str]
    contests: Contests
    text: IntArray
    worker: IntArray
    contest: IntArray
    outcome: IntArray
    everybody: bool = False

    @property
    def size(self) -> int:
        return 2 * len(self._rows[0])

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray, csr_array]:
        """Rows of one text with one outcome of one contest: which outcome, whose text, and (rows, workers)."""
        kind = self.contest * len(OUTCOMES) + self.outcome
        row, found = pd.factorize(kind * len(self.texts) + self.text, sort=True)
        shape = (len(found), len(self.workers))
        counts = csr_array((np.ones(len(row), dtype=np.float32), (row, self.worker)), shape=shape)
        return found // len(self.texts), found % len(self.texts), counts

    def counts(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        """How often each contest ended in each way, (replicates, contests, 3); answers weigh as text times worker."""
        kind, text, counts = self._rows
        drawn = np.ones((1, len(self.workers))) if self.everybody else workers
        rows = (counts @ np.ascontiguousarray(drawn.T, dtype=np.float32)) * texts.T[text]
        starts = np.flatnonzero(np.diff(kind, prepend=-1))
        n_kinds = len(self.contests.first) * len(OUTCOMES)
        found = np.zeros((n_kinds, len(texts)))
        found[kind[starts]] = np.add.reduceat(rows, starts, axis=0)
        return np.asarray(found.T.reshape(len(texts), -1, len(OUTCOMES)))

    def as_they_are(self) -> "Answers":
        return replace(self, everybody=True)

    def linear(self) -> "Answers":
        """As it is: counts are sums over answers."""
        return self

    def apart(self) -> "Answers":
        own, pairs = pd.factorize(self.text * len(self.workers) + self.worker, sort=True)
        return replace(self, workers=[str(pair) for pair in pairs], worker=own)


def answers_of(answers: pd.DataFrame) -> Answers:
    """Columns text, worker, method, other, score (1 the first won, .5 a tie, 0) and first_left (1, 0 or missing).

    A contest is of two methods with the first on the left, on the right, or on a side that is not known.
    ValueError for another score.
    """
    text, texts = pd.factorize(answers["text"], sort=True)
    worker, workers = pd.factorize(answers["worker"], sort=True)
    outcome = answers["score"].map(OUTCOMES)
    if outcome.isna().any():
        raise ValueError(f"A comparison scores 1, 0.5 or 0, not {answers['score'][outcome.isna()].iloc[0]}.")
    names = sorted({*answers["method"], *answers["other"]})
    number = {name: at for at, name in enumerate(names)}
    first, second = (answers[column].map(number).to_numpy(dtype=np.int64) for column in ("method", "other"))
    side = _side_of_first(answers)
    keys = (first * len(names) + second) * 3 + side + 1
    contest, found = pd.factorize(keys, sort=True)
    pair = found // 3
    contests = Contests(pair // len(names), pair % len(names), found % 3 - 1, len(names))
    listed = [str(name) for name in texts], [str(name) for name in workers], [str(name) for name in names]
    return Answers(*listed, contests, text, worker, contest, np.asarray(outcome, dtype=np.int64))


def _side_of_first(answers: pd.DataFrame) -> IntArray:
    """Of all answers or of none: a preference for a side cannot be told from some."""
    left = answers["first_left"].astype("Float64").to_numpy(dtype=float, na_value=np.nan)
    if not np.isfinite(left).all():
        return np.full(len(answers), UNKNOWN, dtype=np.int64)
    return np.where(left == 1, LEFT, RIGHT).astype(np.int64)
