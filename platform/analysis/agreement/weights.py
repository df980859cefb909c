"""Weights of partial agreement, for Cohen's weighted kappa and Gwet's AC2: w = 1 - distance over the greatest distance.

Values stand where their numbers are; labels that are no numbers stand one step apart, in alphabetical order.
linear |x - y|, quadratic (x - y)^2 (Cohen 1968, Psychological Bulletin 70:213-220); ordinal the number of pairs of
categories from one to the other, t (t - 1) / 2 over t steps, both ends counted (Gwet 2014, chapter 3).
"""

import numpy as np

from analysis.agreement.levels import Distance, Level, metric_level
from analysis.arrays import FloatArray


def linear(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.abs(a - b)


def quadratic(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray((a - b) ** 2)


def plain(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray((a != b).astype(float))


def pairs_between(a: FloatArray, b: FloatArray) -> FloatArray:
    """Of places in the order."""
    steps = np.abs(a - b)
    return np.asarray(steps * (steps + 1) / 2)


WEIGHTS: dict[str, Distance] = {"none": plain, "linear": linear, "quadratic": quadratic, "ordinal": pairs_between}


def distances(positions: FloatArray, weights: str | Distance) -> FloatArray:
    """(V, V): 1 - w, from 0 to 1; a function of one's own is taken as it is, and scaled."""
    places = np.arange(len(positions), dtype=float) if weights == "ordinal" else positions
    found = (WEIGHTS[weights] if isinstance(weights, str) else weights)(places[:, None], places[None, :])
    return np.asarray(found / (found.max(initial=0.0) or 1.0))


def weighting(positions: FloatArray, weights: str | Distance) -> tuple[Level, float]:
    """The distances as a level, and the sum of all weights."""
    matrix = distances(positions, weights)

    def distance(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(matrix[np.searchsorted(positions, a), np.searchsorted(positions, b)])

    return metric_level(str(weights), distance, numeric=False), float((1 - matrix).sum())
