"""How large a difference is, apart from whether it is there. Each as a function of drawn texts, for intervals.

weights: (replicates, texts), how often each text was drawn; by default every text once. Values: (replicates,).
"""

import numpy as np

from analysis.arrays import FloatArray


def cohen_h(first: FloatArray, second: FloatArray) -> FloatArray:
    """Difference of two shares on the arcsine scale, 2 asin sqrt(p) - 2 asin sqrt(q), elementwise, in -pi..pi.

    About .2 is called small, .5 medium, .8 large. Source: Cohen 1988, Statistical Power Analysis, chapter 6.
    """
    shares = np.clip(first, 0.0, 1.0), np.clip(second, 0.0, 1.0)
    return np.asarray(2 * np.arcsin(np.sqrt(shares[0])) - 2 * np.arcsin(np.sqrt(shares[1])))


def cohen_g(first_only: FloatArray, second_only: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Share of discordant pairs that the first method won, less one half, in -.5.. .5; NaN without discordant pairs.

    first_only, second_only: (texts,), how many pairs of each text only that method got right. About .05 is called
    small, .15 medium, .25 large. Source: Cohen 1988, Statistical Power Analysis, chapter 5.
    """
    drawn = _once(first_only) if weights is None else weights
    first, second = drawn @ np.nan_to_num(first_only), drawn @ np.nan_to_num(second_only)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(first / (first + second) - 0.5)


def cohen_dz(differences: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Mean difference in units of the differences' standard deviation; NaN of one text, or where all are equal.

    differences: (texts,), NaN where a method was not judged. Source: Cohen 1988, Statistical Power Analysis, 2.3.5.
    """
    own = np.isfinite(differences)
    known = differences[own]
    drawn = _once(known) if weights is None else weights[:, own]
    n = drawn.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = drawn @ known / n
        variance = (drawn @ known**2 - n * mean**2) / (n - 1)
        # What is left of equal differences is rounding.
        variance = np.where(variance > 1e-12 * (1 + mean**2), variance, np.nan)
        return np.asarray(mean / np.sqrt(variance))


def _once(values: FloatArray) -> FloatArray:
    return np.ones((1, len(values)))
