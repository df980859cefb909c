"""Weighted accuracy: S_m = sum_k w_k acc(m, k), sum of w = 1, with more weight where the task is harder.

Source: Lu et al. 2024 (arXiv 2405.10767). The paper says that w_k follows the difficulty of k, "represented by the
average"; the exact form is not published, so three are offered and a report names which it shows.
"""

from collections.abc import Callable

import numpy as np

from analysis.arrays import FloatArray

DEFAULT_WEIGHTING = "one_minus_mean"

# Difficulty of a k from its mean accuracy over methods.
DIFFICULTIES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "one_minus_mean": lambda means: 1.0 - means,
    "inverse_mean": lambda means: 1.0 / means,
    "uniform": lambda means: np.ones_like(means),
}


def weighted_accuracy(shares: FloatArray, weighting: str = DEFAULT_WEIGHTING) -> FloatArray:
    """Weighted accuracy of each method.

    shares: accuracy (replicates, methods, ks), fractions. The mean that sets the weights is over all methods that were
    judged at the k, Random included. Returns (replicates, methods); NaN where a method lacks a k or no weights exist
    (every method always right under `one_minus_mean`, never right under `inverse_mean`).
    Raises KeyError for an unknown weighting.
    """
    difficulty = DIFFICULTIES[weighting]
    with np.errstate(invalid="ignore", divide="ignore"):
        raw = difficulty(np.nansum(shares, axis=1) / np.isfinite(shares).sum(axis=1))
        weights = raw / raw.sum(axis=-1, keepdims=True)
    scores: FloatArray = np.einsum("rmk,rk->rm", shares, weights)
    return scores
