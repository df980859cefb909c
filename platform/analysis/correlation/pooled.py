"""Correlation over all explanations together; a text with all that was explained of it is one cluster.

The value itself is computed from all ranks. Resamples are computed from a table of counts, people's scores in at most
CLASSES classes against the metric's in as many, whose cumulative sums give tau-b and rho: linear in explanations, where
pairs would be quadratic. It is exact where neither side has more different values; otherwise what shares a class counts
as tied, which moves tau-b by up to 0.01. Whoever takes intervals from the resamples puts them where the value is.
"""

import numpy as np
from scipy.stats import kendalltau, rankdata

from analysis.arrays import FloatArray
from analysis.correlation.coefficients import COEFFICIENTS, FEWEST

CLASSES = 64
# Cells of tables, or explanations to file in them, held at a time.
CHUNK_CELLS = 200_000


def pooled(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Kendall's tau-b, Spearman's rho, Pearson's r over explanations: (coefficients,), of two arrays of one shape.

    NaN where unknown; only what is known in both counts. NaN where fewer than three are, or one side is constant.
    """
    known = np.isfinite(human) & np.isfinite(metric)
    x, y = human[known], metric[known]
    if len(x) < FEWEST or (x == x[0]).all() or (y == y[0]).all():
        return np.full(len(COEFFICIENTS), np.nan)
    ranks = np.corrcoef(rankdata(x), rankdata(y))[0, 1]
    return np.array([kendalltau(x, y).statistic, ranks, np.corrcoef(x, y)[0, 1]])


def resample_pooled(human: FloatArray, metrics: FloatArray, weights: FloatArray) -> FloatArray:
    """The three coefficients over resamples of texts: (replicates, metrics, coefficients), NaN where undefined.

    human: (replicates, texts, methods), or (1, texts, methods) where people's scores stay as they are; metrics:
    (texts, methods, metrics); weights: (replicates, texts), how often each text was drawn.
    """
    people, machine = human.reshape(len(human), -1), metrics.reshape(-1, metrics.shape[2]).T
    drawn = np.repeat(weights, human.shape[2], axis=1)
    tables = _Tables(people, machine)
    step = max(1, CHUNK_CELLS // max(machine.size, int(np.prod(tables.shape))))
    chunks = [slice(at, at + step) for at in range(0, len(drawn), step)]
    ranks = np.concatenate([_of_tables(tables.count(rows, drawn[rows])) for rows in chunks])
    values = np.where(np.isfinite(ranks[..., 0]), _of_values(people, machine, drawn), np.nan)
    return np.concatenate([ranks, values[..., None]], axis=-1)


class _Tables:
    """Explanations by their class in people's scores and in each metric's."""

    def __init__(self, human: FloatArray, metrics: FloatArray) -> None:
        edges, own = _edges(human), [_edges(values) for values in metrics]
        self.human, self.known = np.searchsorted(edges, human), np.isfinite(human).astype(np.float64)
        self.shape = len(metrics), len(edges) + 1, max(len(some) for some in own) + 1
        columns = np.stack([np.searchsorted(some, values) for some, values in zip(own, metrics, strict=True)])
        self.offsets = np.arange(len(metrics))[:, None] * self.shape[1] * self.shape[2] + columns
        self.valued = np.isfinite(metrics)

    def count(self, rows: slice, weights: FloatArray) -> FloatArray:
        """(replicates, metrics, classes of people, classes of the metric): explanations drawn, known in both."""
        rows = rows if len(self.human) > 1 else slice(0, 1)
        places = self.offsets + self.human[rows, None] * self.shape[2]
        drawn = self.valued * (weights * self.known[rows])[:, None]
        size, n = int(np.prod(self.shape)), len(weights)
        places = places + (np.arange(n) * size)[:, None, None]
        # What is unknown to a side is filed under that side's last class, and weighs nothing.
        counts = np.bincount(places.ravel(), drawn.ravel(), n * size).astype(np.float64)
        return counts.reshape(n, *self.shape)


def _edges(values: FloatArray) -> FloatArray:
    """Between classes: between all different values, or at quantiles where there are too many."""
    different = np.unique(values[np.isfinite(values)])
    if len(different) > CLASSES:
        different = np.unique(np.quantile(values[np.isfinite(values)], np.linspace(0, 1, CLASSES)))
    return np.asarray((different[1:] + different[:-1]) / 2)


def _of_tables(counts: FloatArray) -> FloatArray:
    """tau-b and rho of tables (..., x, y): (..., 2)."""
    of_x, of_y = counts.sum(axis=-1), counts.sum(axis=-2)
    total = of_x.sum(axis=-1, keepdims=True)
    # How many explanations are below a cell in both, less those below in x and above in y: each pair once.
    lower = np.cumsum(counts, axis=-2) - counts
    left = np.cumsum(lower, axis=-1) - lower
    balance = 2 * left + lower - lower.sum(axis=-1, keepdims=True)
    agree = (counts * balance).sum(axis=(-2, -1))
    untied = [(total[..., 0] ** 2 - (side**2).sum(axis=-1)) / 2 for side in (of_x, of_y)]
    ranks = [np.cumsum(side, axis=-1) - side / 2 - total / 2 for side in (of_x, of_y)]
    product = (ranks[0] * (counts @ ranks[1][..., None])[..., 0]).sum(axis=-1)
    squares = [(side * rank**2).sum(axis=-1) for side, rank in zip((of_x, of_y), ranks, strict=True)]
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.stack([agree / np.sqrt(untied[0] * untied[1]), product / np.sqrt(squares[0] * squares[1])], axis=-1)
    return np.where(((untied[0] > 0) & (untied[1] > 0))[..., None], np.clip(found, -1.0, 1.0), np.nan)


def _of_values(human: FloatArray, metrics: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted Pearson's r: (replicates, metrics), from sums about the means of the whole sample."""
    (x, known_x), (y, known_y) = (_centred(side) for side in (human, metrics))
    drawn_x, drawn = weights * x, weights * known_x
    n, sum_x, sum_y = drawn @ known_y.T, drawn_x @ known_y.T, drawn @ y.T
    with np.errstate(invalid="ignore", divide="ignore"):
        squares_x = (drawn_x * x) @ known_y.T - sum_x**2 / n
        squares_y = drawn @ (y**2).T - sum_y**2 / n
        found = (drawn_x @ y.T - sum_x * sum_y / n) / np.sqrt(squares_x * squares_y)
    return np.asarray(np.clip(found, -1.0, 1.0))


def _centred(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """0 where unknown; and 1 where known."""
    known = np.isfinite(values)
    mean = np.nanmean(np.where(known.any(axis=1, keepdims=True), values, 0.0), axis=1, keepdims=True)
    return np.where(known, values - mean, 0.0), known.astype(np.float64)
