"""Means of columns over texts, with intervals from resampling texts."""

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval, point


def weighted_means(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean of each column of (texts, columns) over drawn texts, NaN left out: (replicates, columns)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ np.nan_to_num(values)) / (weights @ np.isfinite(values).astype(float)))


def column_means(values: FloatArray, *, replicates: int = REPLICATES, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Mean of each column of (texts, columns), NaN left out, and its interval over texts, (2, columns).

    The interval is that of `analysis.bootstrap`; NaN for a column without a value. ValueError where there are no texts.
    """

    def means(weights: FloatArray) -> FloatArray:
        return weighted_means(values, weights)

    n_texts = len(values)
    drawn = bootstrap(means, n_texts, replicates=replicates, seed=seed)
    return point(means, n_texts), percentile_interval(drawn)
