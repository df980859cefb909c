"""Share of texts whose label people recognise, by method and number of shown words."""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from analysis.arrays import FloatArray


class Proportion(NamedTuple):
    """A share in 0..1 with its interval; NaN where n is 0."""

    value: float
    low: float
    high: float
    n: int


def wilson(successes: int, n: int, confidence: float = 0.95, worth: float | None = None) -> Proportion:
    """Wilson score interval of successes out of n.

    (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n). Source: Wilson 1927, JASA 22:209-212.
    worth: how many independent observations the n are worth, where they hang together; it takes the place of n in the
    formula (Kish 1965, Survey Sampling; Korn and Graubard 1998, Survey Methodology 24:193-201).
    Raises ValueError where successes are not within 0..n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes out of {n} is impossible.")
    if n == 0:
        return Proportion(np.nan, np.nan, np.nan, 0)
    z = float(norm.ppf((1 + confidence) / 2))
    share, size = successes / n, n if worth is None else worth
    centre = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z * np.sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    low, high = min(share, float(centre - half)), max(share, float(centre + half))
    return Proportion(share, max(0.0, low), min(1.0, high), n)


def accuracy(verdicts: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Share recognised by method and k, texts weighted by how often they were drawn.

    verdicts: (texts, methods, ks), NaN where unjudged; weights: (replicates, texts), default every text once.
    Returns (replicates, methods, ks), NaN where no drawn text was judged.
    """
    texts, methods, ks = verdicts.shape
    drawn = np.ones((1, texts)) if weights is None else weights
    flat = verdicts.reshape(texts, methods * ks)
    judged = drawn @ np.isfinite(flat).astype(float)
    recognised = drawn @ np.nan_to_num(flat)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = recognised / judged
    return np.asarray(shares.reshape(len(drawn), methods, ks))


def mean_accuracy(shares: FloatArray) -> FloatArray:
    """Mean over k (last axis); NaN where a method lacks a k, because its mean would be over easier or harder tasks."""
    means: FloatArray = shares.mean(axis=-1)
    return means
