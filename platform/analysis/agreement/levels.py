"""Levels of measurement: how far apart two values are, for Krippendorff's alpha.

Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section on difference functions. Distances are
squared differences d_ck: 1 for unlike names, the square of the gap of mid-ranks, of values, of values over their sum. A
level of one's own is `metric_level`: any function of two values that is 0 for equal ones.

Each level gives, over ordered pairs of unlike values c and k: within: sum of n_gc n_gk d_ck in each group of a sample,
(groups, R or 1); totals, (V, R or 1), is how often each value was given in all, on which the ordinal distance depends.
across: sum of n_c n_k d_ck over the totals, (R or 1,).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from analysis.agreement.drawing import Layout, Sample
from analysis.arrays import FloatArray

# Of two arrays of values, which broadcast: the squared difference of each pair.
Distance = Callable[[FloatArray, FloatArray], FloatArray]
# Of the positions of the values and their totals: numbers whose squared gaps are the distances, (V, R or 1).
Placing = Callable[[FloatArray, FloatArray], FloatArray]
# Values whose distances from all others are held at a time.
ROWS = 512


@dataclass(frozen=True)
class Level:
    """`numeric`: labels must be numbers; `signed`: which may be negative; `ranked`: distances depend on the totals."""

    name: str
    numeric: bool
    within: Callable[[Sample, FloatArray], FloatArray]
    across: Callable[[FloatArray, FloatArray], FloatArray]
    signed: bool = True
    ranked: bool = False


def metric_level(name: str, distance: Distance, *, numeric: bool = True, signed: bool = True) -> Level:
    """A level of measurement from a squared difference of one's own.

    distance takes two arrays of values that broadcast, symmetric and 0 for equal values; where labels are no numbers,
    values are their places in alphabetical order. Time is quadratic in the different values of a unit, and of all.
    """

    def within(sample: Sample, totals: FloatArray) -> FloatArray:
        near = _neighbours(sample.layout, distance) @ sample.counts
        return np.asarray(sample.layout.by_group @ (sample.counts * near))

    def across(positions: FloatArray, totals: FloatArray) -> FloatArray:
        sums = np.zeros(totals.shape[1])
        for start in range(0, len(positions), ROWS):
            rows = slice(start, start + ROWS)
            sums += (totals[rows] * (distance(positions[rows, None], positions[None, :]) @ totals)).sum(axis=0)
        return sums

    return Level(name, numeric, within, across, signed)


def _placed(name: str, placing: Placing, *, ranked: bool = False) -> Level:
    """Where distances are squared gaps of positions x: sum of n_c n_k (x_c - x_k)^2 = 2 (n sum n_c x_c^2 - (sum n_c
    x_c)^2).

    Linear in the cells and in the values.
    """

    def within(sample: Sample, totals: FloatArray) -> FloatArray:
        layout = sample.layout
        x = placing(layout.positions, totals)[layout.values]
        first, second = layout.by_group @ (sample.counts * x), layout.by_group @ (sample.counts * x**2)
        return np.asarray(np.maximum(2 * (sample.sizes * second - first**2), 0.0))

    def across(positions: FloatArray, totals: FloatArray) -> FloatArray:
        x = placing(positions, totals)
        first, second = (totals * x).sum(axis=0), (totals * x**2).sum(axis=0)
        return np.asarray(np.maximum(2 * (totals.sum(axis=0) * second - first**2), 0.0))

    return Level(name, True, within, across, ranked=ranked)


def _nominal_within(sample: Sample, totals: FloatArray) -> FloatArray:
    return np.asarray(sample.sizes**2 - sample.layout.by_group @ sample.counts**2)


def _nominal_across(positions: FloatArray, totals: FloatArray) -> FloatArray:
    return np.asarray(totals.sum(axis=0) ** 2 - (totals**2).sum(axis=0))


def _mid_ranks(positions: FloatArray, totals: FloatArray) -> FloatArray:
    """The ordinal distance, (sum of n_g for g from c to k - (n_c + n_k)/2)^2, is the squared gap of mid-ranks.

    From -1/2 to 1/2, for alpha does not change with the unit, and small numbers lose no digits when squared.
    """
    n = np.maximum(totals.sum(axis=0), 1)
    return np.asarray((np.cumsum(totals, axis=0) - totals / 2) / n - 0.5)


def _centred(positions: FloatArray, totals: FloatArray) -> FloatArray:
    """The values themselves, between -1 and 1 for the same reason."""
    low, high = positions.min(initial=np.inf), positions.max(initial=-np.inf)
    return np.asarray((positions - (low + high) / 2) / ((high - low) or 1.0))[:, None]


def _relative(a: FloatArray, b: FloatArray) -> FloatArray:
    gap, total = np.abs(a - b), a + b
    return np.asarray(np.divide(gap, total, out=np.zeros_like(gap), where=gap > 0) ** 2)


def _neighbours(layout: Layout, distance: Distance) -> csr_array:
    """(cells, cells): the distance of each cell's value from the other values of its group."""
    sizes = np.bincount(layout.groups, minlength=layout.n_groups)
    starts = np.cumsum(sizes) - sizes
    partners = sizes[layout.groups]
    left = np.repeat(np.arange(len(layout.groups)), partners)
    right = starts[layout.groups[left]] + np.arange(len(left)) - np.repeat(np.cumsum(partners) - partners, partners)
    far = distance(layout.positions[layout.values[left]], layout.positions[layout.values[right]])
    return csr_array((far, (left, right)), shape=(len(layout.groups),) * 2)


LEVELS: dict[str, Level] = {
    "nominal": Level("nominal", False, _nominal_within, _nominal_across),
    "ordinal": _placed("ordinal", _mid_ranks, ranked=True),
    "interval": _placed("interval", _centred),
    "ratio": metric_level("ratio", _relative, signed=False),
}
