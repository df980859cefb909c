"""The sign-flip test of `analysis.ranking` on many simulated studies at once."""

import numpy as np
from scipy.fft import next_fast_len
from scipy.special import ndtr

from analysis.arrays import FloatArray

# Steps of the distribution of the sum; beyond it the sum is as good as normal (there are hundreds of texts).
MOST_STEPS = 3_000
# Of the sum of all sizes, where differences are no whole numbers.
ROUNDED_STEPS = 300


def sign_flip_p(differences: FloatArray, unit: float | None) -> FloatArray:
    """Two-sided p of each row's sum under random signs; rows are studies, columns texts: (studies,).

    unit: what all differences are multiples of; None where there is no such number, and then they are rounded to an
    300th of the mean sum of their sizes. As `analysis.ranking.comparing.sign_flip_test`, exactly: the sum of s_i e_i
    with random signs e_i has the characteristic function prod_i cos(s_i t), which depends only on how often each size
    occurs, and one Fourier transform gives its distribution. Where that takes more than 3,000 steps, by the normal
    distribution.
    """
    step = unit or float(np.abs(differences).sum(axis=1).mean()) / ROUNDED_STEPS or 1.0
    signed = np.rint(differences / step).astype(np.int64)
    most = int(np.abs(signed).sum(axis=1).max(initial=0))
    if most == 0:
        return np.ones(len(signed))
    if most > MOST_STEPS:
        squares = np.sqrt((signed.astype(float) ** 2).sum(axis=1))
        return np.asarray(2 * ndtr(-np.abs(signed.sum(axis=1)) / squares))
    return _exact(signed, most)


def _exact(signed: np.ndarray, most: int) -> FloatArray:
    """P(|sum| >= observed): a row's distribution is kept on 2 x most + 1 places or more, the sum 0 first."""
    places = next_fast_len(2 * most + 1, real=True)
    # The transform is real and even, so half of it tells all.
    chances = np.fft.irfft(_characteristic(_counts(np.abs(signed)), places), n=places, axis=1)[:, : most + 1]
    beyond = np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    observed = np.abs(signed.sum(axis=1))
    p = np.where(observed == 0, 1.0, 2 * beyond[np.arange(len(signed)), observed])
    return np.clip(p, 0.0, 1.0)


def _counts(sizes: np.ndarray) -> FloatArray:
    """How many texts of each study have each size: (studies, sizes)."""
    studies, width = len(sizes), int(sizes.max()) + 1
    keys = sizes + width * np.arange(studies)[:, None]
    return np.bincount(keys.ravel(), minlength=studies * width).reshape(studies, width).astype(float)


def _characteristic(counts: FloatArray, places: int) -> FloatArray:
    """prod over sizes of cos(size t) ** count at t = 2 pi j / places, j up to half, by logarithms and signs."""
    used = np.flatnonzero(counts.any(axis=0))
    cosines = np.cos(2 * np.pi * np.outer(used, np.arange(places // 2 + 1)) / places)
    logs = np.log(np.maximum(np.abs(cosines), 1e-300))
    signs = 1 - 2 * (np.rint(counts[:, used] @ (cosines < 0)) % 2)
    return np.asarray(signs * np.exp(counts[:, used] @ logs))
