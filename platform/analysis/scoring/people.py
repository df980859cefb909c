"""What people's judgments say of each method, as functions of how often each text and each worker was drawn.

Judgments are laid out once as sparse matrices of (cells, workers), a cell being a text under a method at a k. The score
of every cell in a resample is then a product with the workers' weights, and that of every method a sum over texts.
Memory grows with cells times the replicates of one chunk, and never with judgments times replicates. Products are in
single precision: counts of votes and of whole ratings stay exact, and what is rounded in the seventh digit is a
resample.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.columns import weighted_means
from analysis.scoring.accuracy import accuracy
from analysis.scoring.grid import verdict_grid
from analysis.scoring.weighting import DEFAULT_WEIGHTING, weighted_accuracy
from analysis.study import TOPK_GUESS, Study

Single = NDArray[np.float32]


@dataclass(frozen=True)
class Cells:
    """Which cell each judgment is of, (text * methods + method) * ks + k, and whose it is; names sorted."""

    texts: list[str]
    workers: list[str]
    methods: list[str]
    ks: list[int]
    cell: IntArray
    worker: IntArray

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.texts), len(self.methods), len(self.ks)

    @property
    def size(self) -> int:
        return len(self.texts) * len(self.methods) * len(self.ks)

    @property
    def kind(self) -> IntArray:
        """Method and k of each judgment."""
        return self.cell % (len(self.methods) * len(self.ks))

    @property
    def judgments(self) -> IntArray:
        """Of each cell how many."""
        return np.bincount(self.cell, minlength=self.size).astype(np.int64)

    def apart(self) -> "Cells":
        """As if every worker had judged one text only, and each text had workers of its own."""
        text = self.cell // (len(self.methods) * len(self.ks))
        own, pairs = pd.factorize(text * len(self.workers) + self.worker, sort=True)
        return replace(self, workers=[str(pair) for pair in pairs], worker=own)


def lay_out(judgments: pd.DataFrame, *, by_k: bool = False) -> Cells:
    """Columns text, method, worker and, where cells differ by it, k."""
    text, texts = pd.factorize(judgments["text"], sort=True)
    method, methods = pd.factorize(judgments["method"], sort=True)
    worker, workers = pd.factorize(judgments["worker"], sort=True)
    k, ks = pd.factorize(judgments["k"].astype(int), sort=True) if by_k else (np.zeros_like(text), [0])
    cell = (text * len(methods) + method) * len(ks) + k
    named = [str(name) for name in texts], [str(name) for name in workers], [str(name) for name in methods]
    return Cells(*named, [int(k) for k in ks], cell, worker)


class People(ABC):
    """Judgments of methods on texts by workers. Weights say how often each was drawn, a row a replicate."""

    cells: Cells
    weighting: str | None  # of ks, where there are several

    @abstractmethod
    def values(self, workers: FloatArray) -> tuple[Single, Single]:
        """(texts, methods, ks, replicates): the cell's score, 0 where nobody judged it, and 1 where somebody did."""

    @property
    def texts(self) -> list[str]:
        return self.cells.texts

    @property
    def workers(self) -> list[str]:
        return self.cells.workers

    @property
    def methods(self) -> list[str]:
        return self.cells.methods

    @property
    def size(self) -> int:
        """Numbers held for one replicate."""
        return 3 * self.cells.size

    def by_text(self, workers: FloatArray) -> FloatArray:
        """Mean over ks, (replicates, texts, methods), NaN where nobody judged the text under the method."""
        values, judged = self.values(workers)
        with np.errstate(invalid="ignore", divide="ignore"):
            means: FloatArray = np.moveaxis(values.sum(axis=2) / judged.sum(axis=2), -1, 0).astype(np.float64)
        return means

    def means(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        """Mean over drawn texts, (replicates, methods, ks), NaN where no drawn worker judged a drawn text."""
        values, judged = self.values(workers)
        with np.errstate(invalid="ignore", divide="ignore"):
            return _over_texts(values, texts) / _over_texts(judged, texts)

    def scores(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        """The score of each method, (replicates, methods)."""
        means = self.means(texts, workers)
        return means[..., 0] if self.weighting is None else weighted_accuracy(means, self.weighting)

    def differences(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        """Of every pair of methods, in the order of `pairs_of`, first minus second: (replicates, pairs).

        Mean over drawn texts that both were judged on, of each one's mean over ks; NaN where there is no such text.
        With w the weights, m the means and j 1 where judged, sum_t w (m_a - m_b) j_a j_b / sum_t w j_a j_b: two
        products of matrices a replicate, whatever the number of pairs.
        """
        values, judged = self.values(workers)
        ks = judged.sum(axis=2)
        means = np.moveaxis(values.sum(axis=2) / np.maximum(ks, 1.0), -1, 0)
        known = np.moveaxis((ks > 0).astype(np.float32), -1, 0)
        drawn = known * texts[..., None].astype(np.float32)
        sums = np.swapaxes(means * drawn, 1, 2) @ known
        both = np.swapaxes(drawn, 1, 2) @ known
        first, second = pairs_of(self.methods)
        with np.errstate(invalid="ignore", divide="ignore"):
            apart = (sums[:, first, second] - sums[:, second, first]) / both[:, first, second]
        return np.asarray(apart, dtype=np.float64)

    def as_they_are(self) -> "Known":
        """The same with every worker once, whatever the weights."""
        values, judged = self.values(np.ones((1, len(self.workers))))
        return Known(self.cells, np.where(judged, values, np.nan)[..., 0].astype(np.float64), self.weighting)

    def apart(self) -> "People":
        """The same judgments, as if every worker had judged one text only."""
        return self

    def linear(self) -> "People":
        """The same with cells that move in proportion to how often each worker is drawn.

        A text's own mean takes part of what a worker brings to it for its own, so that drawing workers alone shows too
        little of what they have in common. Here a judgment moves its cell by slope * (score - mean of the method) / n,
        n being those of the cell.
        """
        return self


@dataclass(frozen=True)
class Known(People):
    """Cells whose score is known and cannot be drawn again, such as published verdicts: (texts, methods, ks)."""

    cells: Cells
    known: FloatArray
    weighting: str | None = DEFAULT_WEIGHTING

    def values(self, workers: FloatArray) -> tuple[Single, Single]:
        judged = np.isfinite(self.known)[..., None]
        shape = (*self.known.shape, len(workers))
        filled = np.nan_to_num(self.known)[..., None]
        return np.broadcast_to(filled, shape).astype(np.float32), np.broadcast_to(judged, shape).astype(np.float32)

    def means(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        return accuracy(self.known, texts)

    def as_they_are(self) -> "Known":
        return self

    def differences(self, texts: FloatArray, workers: FloatArray) -> FloatArray:
        return weighted_means(self.differences_by_text(), texts)

    def differences_by_text(self) -> FloatArray:
        """(texts, pairs), NaN where a text was not judged under both methods at one k."""
        first, second = pairs_of(self.methods)
        return mean_known(self.known[:, first] - self.known[:, second])


def pairs_of(methods: list[str]) -> tuple[IntArray, IntArray]:
    """Numbers of the first and of the second method of every pair, first before second."""
    first, second = np.triu_indices(len(methods), 1)
    return first.astype(np.int64), second.astype(np.int64)


def mean_known(values: FloatArray) -> FloatArray:
    """Mean along the last axis over what is known; NaN where nothing is."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nansum(values, axis=-1) / np.isfinite(values).sum(axis=-1))


def known_verdicts(texts: list[str], methods: list[str], ks: list[int], verdicts: FloatArray) -> Known:
    """Verdicts of shape (texts, methods, ks), NaN where unjudged; nobody knows whose they are."""
    nobody = np.zeros(0, dtype=np.int64)
    return Known(Cells(texts, [], methods, ks, nobody, nobody), verdicts)


@dataclass(frozen=True)
class Linear(People):
    """Cells with a part that is proportional to (w_worker - 1), as `People.linear` says."""

    cells: Cells
    known: FloatArray
    influence: FloatArray  # of each judgment on its cell
    weighting: str | None

    @cached_property
    def _influences(self) -> csr_array:
        return _matrix(self.cells.cell, self.cells.worker, self.influence, (self.cells.size, len(self.workers)))

    def values(self, workers: FloatArray) -> tuple[Single, Single]:
        [moved] = _products(workers - 1, self._influences)
        judged = np.isfinite(self.known)[..., None]
        shape = (*self.cells.shape, len(workers))
        values = np.where(judged, moved.reshape(shape) + np.nan_to_num(self.known)[..., None].astype(np.float32), 0.0)
        return values.astype(np.float32), np.broadcast_to(judged, shape).astype(np.float32)

    def apart(self) -> "Linear":
        return replace(self, cells=self.cells.apart())


@dataclass(frozen=True)
class Means(People):
    """A method's score is the mean over texts of the text's mean over its judgments."""

    cells: Cells
    score: FloatArray
    weighting: None = None

    @cached_property
    def _sums(self) -> csr_array:
        return _matrix(self.cells.cell, self.cells.worker, self.score, (self.cells.size, len(self.workers)))

    @cached_property
    def _counts(self) -> csr_array:
        ones = np.ones(len(self.score))
        return _matrix(self.cells.cell, self.cells.worker, ones, (self.cells.size, len(self.workers)))

    def values(self, workers: FloatArray) -> tuple[Single, Single]:
        counts, sums = _products(workers, self._counts, self._sums)
        means = np.divide(sums, counts, out=sums, where=counts > 0)
        shape = (*self.cells.shape, len(workers))
        return means.reshape(shape), (counts > 0).astype(np.float32).reshape(shape)

    def apart(self) -> "Means":
        return replace(self, cells=self.cells.apart())

    def linear(self) -> Linear:
        return _linear(self, self.score, np.ones(len(self.score)) / self.cells.judgments[self.cells.cell])


def means_of(judgments: pd.DataFrame) -> Means:
    """Columns text, method, worker, score; judgments without a score are left out."""
    scored = judgments[judgments["score"].notna()]
    return Means(lay_out(scored), scored["score"].to_numpy(dtype=float))


@dataclass(frozen=True)
class Majorities(People):
    """A method's score is the weighted accuracy of the majority's verdicts.

    A cell is recognised where the weighted votes for the expected label are more than those for any other answer:
    ties, and "cannot tell" where it leads, are not. A cell that no drawn worker judged has no verdict.
    Source: Lu et al. 2024 (arXiv 2405.10767); the weighting of ks as in `analysis.scoring.weighting`.
    """

    cells: Cells
    label: IntArray  # of each vote, numbered
    right: BoolArray
    weighting: str = DEFAULT_WEIGHTING

    @property
    def size(self) -> int:
        return 4 * self.cells.size

    @cached_property
    def _right(self) -> csr_array:
        own = self.right
        shape = (self.cells.size, len(self.workers))
        return _matrix(self.cells.cell[own], self.cells.worker[own], np.ones(own.sum()), shape)

    @cached_property
    def _wrong(self) -> tuple[csr_array, IntArray, IntArray]:
        """Votes of each (cell, wrong label), (rows, workers); where each cell's rows start, and which cell it is."""
        own, labels = ~self.right, int(self.label.max(initial=0)) + 1
        row, found = pd.factorize(self.cells.cell[own] * labels + self.label[own], sort=True)
        votes = _matrix(row, self.cells.worker[own], np.ones(own.sum()), (len(found), len(self.workers)))
        cell = np.asarray(found // labels, dtype=np.int64)
        starts = np.flatnonzero(np.diff(cell, prepend=-1)).astype(np.int64)
        return votes, starts, cell[starts]

    def values(self, workers: FloatArray) -> tuple[Single, Single]:
        votes, starts, cell = self._wrong
        right, against = _products(workers, self._right, votes)
        wrong = np.zeros_like(right)
        if len(cell):
            wrong[cell] = np.maximum.reduceat(against, starts, axis=0)
        shape = (*self.cells.shape, len(workers))
        recognised, judged = right > wrong, (right > 0) | (wrong > 0)
        return recognised.astype(np.float32).reshape(shape), judged.astype(np.float32).reshape(shape)

    def apart(self) -> "Majorities":
        return replace(self, cells=self.cells.apart())

    def linear(self) -> Linear:
        """A vote moves its cell by the share of votes, of its method at its k, that turn a verdict."""
        kind = self.cells.kind
        turns = np.bincount(kind, self._turning()) / np.maximum(np.bincount(kind), 1)
        return _linear(self, self.right.astype(float), turns[kind])

    def _turning(self) -> FloatArray:
        """1 for each vote without which the others would leave the verdict to it, 0 for all others."""
        cell, size = self.cells.cell, self.cells.size
        right = np.bincount(cell[self.right], minlength=size)
        labels = int(self.label.max(initial=0)) + 1
        row, found = pd.factorize(cell[~self.right] * labels + self.label[~self.right])
        owner, counts = found // labels, np.bincount(row, minlength=len(found))
        most = np.zeros(size, dtype=np.int64)
        np.maximum.at(most, owner, counts)
        # Without a vote for the one label that leads the wrong ones, the lead is one less.
        leads = counts == most[owner]
        alone = leads & (np.bincount(owner, leads, minlength=size)[owner] == 1)
        others_right, others_wrong = right[cell] - self.right, most[cell]
        others_wrong[~self.right] -= alone[row]
        return np.asarray((others_right == others_wrong) | (others_right == others_wrong + 1), dtype=float)


def majorities_of(judgments: pd.DataFrame, weighting: str = DEFAULT_WEIGHTING) -> Majorities:
    """Columns text, method, k, worker, label, expected; judgments without a k are left out."""
    votes = judgments[judgments["k"].notna()]
    label, _ = pd.factorize(votes["label"], sort=True)
    right = (votes["label"] == votes["expected"]).to_numpy(dtype=bool)
    return Majorities(lay_out(votes, by_k=True), label, right, weighting)


def people_of(study: Study) -> People:
    """Majorities where workers guess from some words, verdicts where only these are known, and otherwise means."""
    if study.protocol != TOPK_GUESS:
        assert study.judgments is not None
        return means_of(study.judgments)
    if study.judgments is not None:
        return majorities_of(study.judgments)
    grid = verdict_grid(study.cells)
    return known_verdicts(grid.texts, grid.methods, grid.ks, grid.verdicts)


def _linear(people: People, scores: FloatArray, slope: FloatArray) -> Linear:
    """Judgments' scores less the mean of their method at their k, times the slope."""
    kind = people.cells.kind
    means = np.bincount(kind, scores) / np.maximum(np.bincount(kind), 1)
    known = people.as_they_are().known
    return Linear(people.cells, known, (scores - means[kind]) * slope, people.weighting)


def _matrix(row: IntArray, column: IntArray, values: FloatArray, shape: tuple[int, int]) -> csr_array:
    return csr_array((values.astype(np.float32), (row, column)), shape=shape)


def _products(workers: FloatArray, *matrices: csr_array) -> list[Single]:
    """Each matrix of (rows, workers) times the workers' weights: (rows, replicates)."""
    weights = np.ascontiguousarray(workers.T, dtype=np.float32)
    return [np.asarray(matrix @ weights) for matrix in matrices]


def _over_texts(values: Single, texts: FloatArray) -> FloatArray:
    """Sum over texts of (texts, ..., replicates), each times its weight: (replicates, ...)."""
    sums: Single = np.einsum("t...r,tr->r...", values, texts.T.astype(np.float32))
    return sums.astype(np.float64)
