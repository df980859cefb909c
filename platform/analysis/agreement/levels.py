"""Levels of measurement: how far apart two values are, for Krippendorff's alpha.

Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section on difference functions.
Each level gives, for every replicate r with value totals n_rc (replicates, V):
observed: squared distances of the pairs (first, second), shape (replicates, P) or (1, P);
expected: sum over c < k of n_rc n_rk d_ck, shape (replicates,).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray

Observed = Callable[[FloatArray, FloatArray, IntArray, IntArray], FloatArray]
Expected = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Level:
    numeric: bool
    observed: Observed
    expected: Expected


def _nominal_observed(values: FloatArray, totals: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    return np.ones((1, len(first)))


def _nominal_expected(values: FloatArray, totals: FloatArray) -> FloatArray:
    return np.asarray((totals.sum(axis=1) ** 2 - (totals**2).sum(axis=1)) / 2)


def _ordinal_observed(values: FloatArray, totals: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    ranks = _midranks(totals)
    return np.asarray((ranks[:, first] - ranks[:, second]) ** 2)


def _ordinal_expected(values: FloatArray, totals: FloatArray) -> FloatArray:
    return _spread(_midranks(totals), totals)


def _interval_observed(values: FloatArray, totals: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    return np.asarray((values[first] - values[second]) ** 2)[None, :]


def _interval_expected(values: FloatArray, totals: FloatArray) -> FloatArray:
    return _spread(np.broadcast_to(values - values.mean(), totals.shape), totals)


def _ratio_observed(values: FloatArray, totals: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    return np.asarray(((values[first] - values[second]) / (values[first] + values[second])) ** 2)[None, :]


def _ratio_expected(values: FloatArray, totals: FloatArray) -> FloatArray:
    sums = values[:, None] + values[None, :]
    gaps = values[:, None] - values[None, :]
    distances = np.divide(gaps, sums, out=np.zeros_like(gaps), where=gaps != 0) ** 2
    return np.asarray(((totals @ distances) * totals).sum(axis=1) / 2)


def _midranks(totals: FloatArray) -> FloatArray:
    """The ordinal distance, (sum of n_g for g from c to k - (n_c + n_k)/2)^2, is the squared gap of mid-ranks."""
    return np.asarray(np.cumsum(totals, axis=1) - totals / 2)


def _spread(positions: FloatArray, totals: FloatArray) -> FloatArray:
    """Sum over c < k of n_c n_k (x_c - x_k)^2, in time linear in the number of values."""
    n = totals.sum(axis=1)
    return np.asarray(n * (totals * positions**2).sum(axis=1) - (totals * positions).sum(axis=1) ** 2)


LEVELS: dict[str, Level] = {
    "nominal": Level(False, _nominal_observed, _nominal_expected),
    "ordinal": Level(True, _ordinal_observed, _ordinal_expected),
    "interval": Level(True, _interval_observed, _interval_expected),
    "ratio": Level(True, _ratio_observed, _ratio_expected),
}
