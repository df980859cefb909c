"""Crossed groupings of rows, such as workers, texts and maps: the linear algebra of their random intercepts.

With scales t_j, row weights W and Z the indicators of all groupings side by side, every mixed model here needs

    M = I + L Z'WZ L,   L = diag(t_0, ..., t_1, ...)

Within a grouping Z'WZ is diagonal, so the largest grouping is eliminated by division, and only a dense matrix of the
size of the others is factored. Source: Bates, Maechler, Bolker and Walker 2015, J. of Statistical Software 67(1),
section 3, for M; the elimination is the usual Schur complement.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array

from analysis.arrays import FloatArray, IntArray

# Of all groupings but the largest: their matrix then takes 200 MB.
MOST_GROUPS = 5000


@dataclass(frozen=True)
class Crossing:
    """Rows by groupings: (n,) group of each row in each, and how many groups each has; the last has most.

    Vectors over groups are those of all groupings, one after the other.
    """

    groups: tuple[IntArray, ...]
    sizes: tuple[int, ...]

    @property
    def n_rest(self) -> int:
        return sum(self.sizes[:-1])

    @cached_property
    def slices(self) -> list[slice]:
        ends = np.cumsum(self.sizes).tolist()
        return [slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True)]

    def along(self, scales: FloatArray) -> FloatArray:
        """The diagonal of L."""
        return np.repeat(scales, self.sizes)

    def sums(self, rows: FloatArray) -> FloatArray:
        """Z'rows of (n,) or (n, p)."""
        return np.concatenate(
            [_grouped(group, rows, size) for group, size in zip(self.groups, self.sizes, strict=True)]
        )

    def spread(self, values: FloatArray) -> FloatArray:
        """Z values: (n,) what the groups of each row add up to."""
        parts = [values[place][group] for place, group in zip(self.slices, self.groups, strict=True)]
        return np.asarray(sum(parts), dtype=float)

    def factor(self, scales: FloatArray, weights: FloatArray) -> "Factored":
        """M at these scales, one a grouping, and row weights (n,), ready to solve."""
        rest = self._rest(scales)
        weighted = csr_array(
            (rest.data * np.repeat(weights, len(self.sizes) - 1), rest.indices, rest.indptr), rest.shape
        )
        last, n = self.groups[-1], len(weights)
        of_last = csr_array((np.full(n, scales[-1]), last, np.arange(n + 1)), shape=(n, self.sizes[-1]))
        across = (weighted.T @ of_last).tocsr()
        large = 1 + scales[-1] ** 2 * np.bincount(last, weights, minlength=self.sizes[-1])
        eased = across.multiply(1 / np.sqrt(large)[None, :]).tocsr()
        complement = np.eye(self.n_rest) + (weighted.T @ rest - eased @ eased.T).toarray()
        return Factored(self, scales, weights, across, large, cho_factor(complement, lower=True, check_finite=False))

    def _rest(self, scales: FloatArray) -> csr_array:
        """Z L of all groupings but the last."""
        width, n = len(self.sizes) - 1, len(self.groups[0])
        columns = np.stack([g + s.start for g, s in zip(self.groups[:-1], self.slices[:-1], strict=True)], axis=1)
        entries = np.tile(scales[:-1], n)
        return csr_array((entries, columns.ravel(), np.arange(0, width * n + 1, width)), shape=(n, self.n_rest))


@dataclass(frozen=True)
class Factored:
    """M = [[P, B], [B', D]] with D = diag(`large`), B = `across`, and the factored complement P - B D^-1 B'."""

    crossing: Crossing
    scales: FloatArray
    weights: FloatArray
    across: csr_array
    large: FloatArray
    complement: tuple[FloatArray, bool]

    @property
    def log_determinant(self) -> float:
        return float(np.log(self.large).sum() + 2 * np.log(np.diag(self.complement[0])).sum())

    def solve(self, side: FloatArray) -> FloatArray:
        """M^-1 of a vector over groups, or of (groups, p)."""
        rest, last = side[: self.crossing.n_rest], side[self.crossing.n_rest :]
        divisor = self.large if side.ndim == 1 else self.large[:, None]
        first = cho_solve(self.complement, rest - self.across @ (last / divisor), check_finite=False)
        return np.concatenate([first, (last - self.across.T @ first) / divisor])

    @cached_property
    def inverse(self) -> list[list[FloatArray]]:
        """Cells of M^-1 that rows meet: [j][k] is (n,), at the row's groups in groupings j and k."""
        crossing, last = self.crossing, len(self.scales) - 1
        dense = cho_solve(self.complement, np.eye(crossing.n_rest), check_finite=False)
        product = np.asarray(self.across.T @ dense)
        first, second = self.across.nonzero()
        twice = np.asarray(self.across.data) * product[second, first]
        diagonal = 1 / self.large + np.bincount(second, twice, minlength=len(self.large)) / self.large**2
        places = [group + part.start for group, part in zip(crossing.groups, crossing.slices, strict=True)]
        own = crossing.groups[-1]

        def cells(j: int, k: int) -> FloatArray:
            if j == k == last:
                return np.asarray(diagonal[own])
            if last in (j, k):
                return np.asarray(-product[own, places[min(j, k)]] / self.large[own])
            return np.asarray(dense[places[j], places[k]])

        return [[cells(j, k) for k in range(last + 1)] for j in range(last + 1)]

    @cached_property
    def reached(self) -> list[FloatArray]:
        """[j]: (n,) of Z L M^-1 the row's own group in grouping j."""
        return [np.asarray(sum(t * cell for t, cell in zip(self.scales, row, strict=True))) for row in self.inverse]

    @property
    def leverage(self) -> FloatArray:
        """(n,) the diagonal of Z L M^-1 L Z'."""
        return np.asarray(sum(t * own for t, own in zip(self.scales, self.reached, strict=True)))

    @property
    def trace_by_scale(self) -> FloatArray:
        """Half the derivative of log|M| by each scale, where the weights do not move."""
        return np.array([float(self.weights @ own) for own in self.reached])


def cross(groupings: Sequence[IntArray]) -> tuple[Crossing, list[int]]:
    """The crossing of groupings, each numbered from 0 without gaps, and which of them stands where in it."""
    sizes = [int(own.max()) + 1 for own in groupings]
    order = sorted(range(len(groupings)), key=lambda place: sizes[place])
    return Crossing(tuple(groupings[place] for place in order), tuple(sizes[place] for place in order)), order


def _grouped(group: IntArray, rows: FloatArray, n_groups: int) -> FloatArray:
    if rows.ndim == 1:
        return np.asarray(np.bincount(group, rows, minlength=n_groups), dtype=float)
    return np.stack([np.bincount(group, column, minlength=n_groups) for column in rows.T], axis=1)
