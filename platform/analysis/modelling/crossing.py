"""Two crossed groupings of rows, such as workers and texts: the linear algebra of their random intercepts.

With scales t = (t_0, t_1), row weights W and Z the indicators of both groupings, every mixed model here needs

    M = I + L Z'WZ L,   L = diag(t_0, ..., t_1, ...)

Within a grouping Z'WZ is diagonal, so the larger grouping is eliminated by division, and only a dense matrix of the
size of the smaller one is factored. Source: Bates, Maechler, Bolker and Walker 2015, J. of Statistical Software 67(1),
section 3, for M; the elimination is the usual Schur complement.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array

from analysis.arrays import FloatArray, IntArray

# Of the smaller grouping: its matrix then takes 200 MB.
MOST_GROUPS = 5000


@dataclass(frozen=True)
class Crossing:
    """Rows by two groupings, `small` with no more groups than `large`; (n,) group of each row."""

    small: IntArray
    large: IntArray
    n_small: int
    n_large: int

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Pairs of groups that share rows: group of each in small, in large, and (n,) the pair of each row."""
        keys, pair_of = np.unique(self.small * self.n_large + self.large, return_inverse=True)
        return keys // self.n_large, keys % self.n_large, pair_of

    def sums(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Z'rows of (n,) or (n, p): per group of small and of large."""
        return _grouped(self.small, rows, self.n_small), _grouped(self.large, rows, self.n_large)

    def factor(self, scales: FloatArray, weights: FloatArray) -> "Factored":
        """M at these scales (2,) and row weights (n,), ready to solve."""
        first, second, pair_of = self.pairs
        shared = np.asarray(np.bincount(pair_of, weights, minlength=len(first)), dtype=float)
        in_small, in_large = self.sums(weights)
        across = csr_array((scales[0] * scales[1] * shared, (first, second)), shape=(self.n_small, self.n_large))
        large = 1 + scales[1] ** 2 * in_large
        eased = across.multiply(1 / np.sqrt(large)[None, :]).tocsr()
        complement = np.diag(1 + scales[0] ** 2 * in_small) - (eased @ eased.T).toarray()
        factored = cho_factor(complement, lower=True, check_finite=False)
        return Factored(self, scales, weights, shared, across, large, factored)


@dataclass(frozen=True)
class Factored:
    """M = [[P, B], [B', D]] with D = diag(`large`), B = `across`, and the factored complement P - B D^-1 B'.

    shared: sum of the row weights of each pair of groups that share rows.
    """

    crossing: Crossing
    scales: FloatArray
    weights: FloatArray
    shared: FloatArray
    across: csr_array
    large: FloatArray
    complement: tuple[FloatArray, bool]

    @property
    def log_determinant(self) -> float:
        return float(np.log(self.large).sum() + 2 * np.log(np.diag(self.complement[0])).sum())

    def solve(self, small: FloatArray, large: FloatArray) -> tuple[FloatArray, FloatArray]:
        """M^-1 of a vector, or of (groups, p), in its two parts."""
        divisor = self.large if large.ndim == 1 else self.large[:, None]
        first = cho_solve(self.complement, small - self.across @ (large / divisor), check_finite=False)
        return first, (large - self.across.T @ first) / divisor

    @cached_property
    def inverse(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of M^-1: its diagonal over small and over large, and its cells at the pairs that share rows."""
        first, second, _ = self.crossing.pairs
        dense = cho_solve(self.complement, np.eye(self.crossing.n_small), check_finite=False)
        product = np.asarray(self.across.T @ dense)[second, first]
        cells = -product / self.large[second]
        twice = np.asarray(self.across.data) * product
        of_large = 1 / self.large + np.bincount(second, twice, minlength=len(self.large)) / self.large**2
        return np.diag(dense), of_large, cells

    @property
    def trace_by_scale(self) -> FloatArray:
        """Half the derivative of log|M| by each scale, where the weights do not move: sum W_i (Z L M^-1)_i."""
        of_small, of_large, cells = self.inverse
        in_small, in_large = self.crossing.sums(self.weights)
        shared = float(self.shared @ cells)
        first = self.scales[0] * float(in_small @ of_small) + self.scales[1] * shared
        return np.array([first, self.scales[0] * shared + self.scales[1] * float(in_large @ of_large)])


def cross(first: IntArray, second: IntArray) -> tuple[Crossing, bool]:
    """The crossing of two groupings, each numbered from 0 without gaps; and whether `first` became the large one."""
    n_first, n_second = int(first.max()) + 1, int(second.max()) + 1
    if n_first > n_second:
        return Crossing(second, first, n_second, n_first), True
    return Crossing(first, second, n_first, n_second), False


def _grouped(group: IntArray, rows: FloatArray, n_groups: int) -> FloatArray:
    if rows.ndim == 1:
        return np.asarray(np.bincount(group, rows, minlength=n_groups), dtype=float)
    return np.stack([np.bincount(group, column, minlength=n_groups) for column in rows.T], axis=1)
