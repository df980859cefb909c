"""Kendall's tau-b, Spearman's rho and Pearson's r of very many short series at once.

All three come from differences of pairs. With s_ij the sign of x_i - x_j, sum_j s_ij / 2 is the midrank of x_i about
its mean, so rank correlations need no sorting:

    tau-b = sum s_ij t_ij / sqrt(sum |s_ij| sum |t_ij|)        rho = Pearson's r of the midranks

Sources: Kendall 1945, Biometrika 33:239-251 (tau-b); Spearman 1904, American Journal of Psychology 15:72-101.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, IntArray

KENDALL, SPEARMAN, PEARSON = "kendall_tau_b", "spearman", "pearson"
COEFFICIENTS = (KENDALL, SPEARMAN, PEARSON)
# Fewer points have no correlation worth a number: two always lie on a line.
FEWEST = 3
# Cells of the arrays of pairs held at a time.
CHUNK_CELLS = 4_000_000
Single = NDArray[np.float32]


def correlate_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Each row of x with the same row of y, (..., n) broadcast against each other: (..., coefficients).

    NaN where unknown; only what is known in both counts. A coefficient is NaN where fewer than three are, or where all
    of them are tied on one side. Time and memory grow with the square of n, which is a number of methods.
    """
    x, y = np.broadcast_arrays(x, y)
    shape, n = x.shape[:-1], x.shape[-1]
    flat = x.reshape(int(np.prod(shape)), n), y.reshape(int(np.prod(shape)), n)
    step = max(1, CHUNK_CELLS // max(1, n * n))
    rows = [_rows(flat[0][at : at + step], flat[1][at : at + step]) for at in range(0, len(flat[0]), step)]
    return np.concatenate(rows or [np.zeros((0, 3))]).reshape(*shape, len(COEFFICIENTS))


def correlate_texts(human: FloatArray, metrics: FloatArray) -> tuple[Single, Single, Single]:
    """Within each text, people's scores over methods with each metric's: (texts, replicates, metrics) a coefficient.

    human: (replicates, texts, methods), such as scores under resamples of workers; metrics: (texts, methods, metrics).
    Known and undefined as in `correlate_rows`, which gives the same in double precision: products of matrices by text
    are what makes this fast where many replicates meet many metrics.
    """
    first, second = np.triu_indices(metrics.shape[1], 1)
    people, machine = _Side(human.transpose(1, 2, 0), first, second), _Side(metrics, first, second)
    untied_x = _product(np.abs(people.signs), machine.known_pairs)
    untied_y = _product(people.known_pairs, np.abs(machine.signs))
    enough = (_product(people.known, machine.known) >= FEWEST) & (untied_x > 0) & (untied_y > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (
            _product(people.signs, machine.signs) / np.sqrt(untied_x * untied_y),
            _of_ranks(people, machine),
            _of_values(people, machine),
        )
    for values in found:
        values[~enough] = np.nan
    return found


class _Side:
    """Scores (texts, methods, series) as what products are taken of; pairs of methods are first against second."""

    def __init__(self, scores: FloatArray, first: IntArray, second: IntArray) -> None:
        known = np.isfinite(scores)
        filled = np.where(known, scores, 0.0)
        # About the text's mean, so that squares lose no digits.
        mean = filled.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1)
        self.values: Single = np.where(known, filled - mean, 0.0).astype(np.float32)
        self.known: Single = known.astype(np.float32)
        self.known_pairs: Single = self.known[:, first] * self.known[:, second]
        x, y = filled[:, first], filled[:, second]
        self.signs: Single = ((x > y).astype(np.float32) - (x < y)) * self.known_pairs
        # What each pair adds to the doubled midrank of each method.
        self.shares = np.zeros((scores.shape[1], len(first)), dtype=np.float32)
        self.shares[first, np.arange(len(first))], self.shares[second, np.arange(len(first))] = 1, -1

    @property
    def is_complete(self) -> bool:
        return bool(self.known.all())

    @property
    def ranks(self) -> Single:
        """Midranks about their mean, doubled: (texts, methods, series)."""
        return self.shares @ self.signs


def _product(people: Single, machine: Single) -> Single:
    """Sums over the middle axis: (texts, replicates, metrics)."""
    return people.transpose(0, 2, 1) @ machine


def _of_ranks(people: _Side, machine: _Side) -> Single:
    """Pearson's r of the midranks among what both sides know."""
    if people.is_complete and machine.is_complete:
        x, y = people.ranks, machine.ranks
        squares = (x**2).sum(axis=1)[:, :, None] * (y**2).sum(axis=1)[:, None]
        return np.asarray(_product(x, y) / np.sqrt(squares))
    found = [_of_known_ranks(people, machine, metric) for metric in range(machine.known.shape[-1])]
    return np.stack(found, axis=-1)


def _of_known_ranks(people: _Side, machine: _Side, metric: int) -> Single:
    """The same for one metric, where the ranks of either side depend on what the other knows: (texts, replicates)."""
    both = people.known * machine.known[..., [metric]]
    x = people.shares @ (people.signs * machine.known_pairs[..., [metric]]) * both
    y = people.shares @ (people.known_pairs * machine.signs[..., [metric]]) * both
    product, squares_x, squares_y = ((a * b).sum(axis=1) for a, b in ((x, y), (x, x), (y, y)))
    return np.asarray(product / np.sqrt(squares_x * squares_y))


def _of_values(people: _Side, machine: _Side) -> Single:
    """Pearson's r of the values that both sides know."""
    kx, x, ky, y = people.known, people.values, machine.known, machine.values
    if people.is_complete and machine.is_complete:
        squares = (x**2).sum(axis=1)[:, :, None] * (y**2).sum(axis=1)[:, None]
        return np.asarray(_product(x, y) / np.sqrt(squares))
    n, sum_x, sum_y = _product(kx, ky), _product(x, ky), _product(kx, y)
    squares_x, squares_y = _product(x**2, ky) - sum_x**2 / n, _product(kx, y**2) - sum_y**2 / n
    return np.asarray((_product(x, y) - sum_x * sum_y / n) / np.sqrt(squares_x * squares_y))


def _rows(x: FloatArray, y: FloatArray) -> FloatArray:
    known = np.isfinite(x) & np.isfinite(y)
    x, y = np.where(known, x, 0.0), np.where(known, y, 0.0)
    both = known[:, :, None] & known[:, None, :]
    signs = [np.sign(side[:, :, None] - side[:, None, :]) * both for side in (x, y)]
    untied = [np.abs(side).sum(axis=(1, 2)) for side in signs]
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = (signs[0] * signs[1]).sum(axis=(1, 2)) / np.sqrt(untied[0] * untied[1])
        ranks = _pearson(*(side.sum(axis=2) for side in signs))
        n = known.sum(axis=1, keepdims=True)
        values = _pearson(*(np.where(known, side - side.sum(axis=1, keepdims=True) / n, 0.0) for side in (x, y)))
    enough = (known.sum(axis=1) >= FEWEST) & (untied[0] > 0) & (untied[1] > 0)
    found = np.clip(np.stack([tau, ranks, values], axis=-1), -1.0, 1.0)
    return np.where(enough[:, None], found, np.nan)


def _pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    """Of rows whose mean is 0."""
    return np.asarray((x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1)))
