"""The mean over pairs of maps, of which several may come from one text."""

from collections.abc import Sequence

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval

Interval = tuple[float, float]


def mean_over_units(
    values: Sequence[float], units: Sequence[int], *, replicates: int = REPLICATES, seed: int = 0
) -> tuple[float, Interval | None]:
    """Mean of the values and its interval, which resamples units with all their values.

    units: for each value the number of what it comes from. The interval is None with one unit alone, which has
    nothing to vary. Needs one value at least.
    """
    rows = np.unique(list(units), return_inverse=True)[1]
    sums = np.bincount(rows, weights=np.array(values)).astype(np.float64)
    counts = np.bincount(rows).astype(np.float64)
    return float(np.mean(values)), _interval(sums, counts, replicates, seed)


def _interval(sums: FloatArray, counts: FloatArray, replicates: int, seed: int) -> Interval | None:
    if len(sums) < 2:
        return None
    drawn = bootstrap(lambda weights: weights @ sums / (weights @ counts), len(sums), replicates=replicates, seed=seed)
    low, high = percentile_interval(drawn)
    return float(low), float(high)
