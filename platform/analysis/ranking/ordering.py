"""Ranks of methods, with intervals from resampling texts."""

import numpy as np
from scipy.stats import rankdata

from analysis.arrays import FloatArray


def ranks(scores: FloatArray) -> FloatArray:
    """Rank along the last axis: 1 for the highest score, equal scores share the better rank, NaN stays NaN."""
    return np.asarray(rankdata(-scores, method="min", axis=-1, nan_policy="omit"), dtype=float)


def rank_interval(distribution: FloatArray, confidence: float = 0.95) -> FloatArray:
    """Interval of bootstrapped ranks (replicates, methods), shape (2, methods); whole ranks, never between two."""
    tail = (1 - confidence) / 2
    return np.asarray(np.quantile(distribution, [tail, 1 - tail], axis=0, method="inverted_cdf"), dtype=float)
