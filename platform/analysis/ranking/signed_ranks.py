"""Wilcoxon's signed-rank test of differences between two methods on the same texts, and its effect size."""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm, rankdata

from analysis.arrays import FloatArray
from analysis.ranking.comparing import EXACT_SUM_LIMIT, sign_flip_test


class SignedRanks(NamedTuple):
    """Sums of the ranks of positive and of negative differences, over n differences that are not 0; two-sided p."""

    positive: float
    negative: float
    n: int
    p: float


def wilcoxon(differences: FloatArray) -> SignedRanks:
    """Wilcoxon's test that differences, one a text, lie symmetrically about 0.

    Differences of 0 and NaN are left out, as Wilcoxon did; the rest are ranked by size, equal sizes sharing the mean
    rank. p is exact, over all patterns of signs with the ranks as they are tied, up to about 300 differences; of more
    it is the normal one with the correction for ties. p is 1 where nothing differs.
    Source: Wilcoxon 1945, Biometrics Bulletin 1:80-83; Pratt and Gibbons 1981, Concepts of Nonparametric Theory, 3.7.
    """
    known = differences[np.isfinite(differences) & (differences != 0)]
    n = len(known)
    if n == 0:
        return SignedRanks(0.0, 0.0, 0, 1.0)
    signed = np.sign(known) * rankdata(np.abs(known))
    positive, negative = float(signed[signed > 0].sum()), float(-signed[signed < 0].sum())
    # Twice the ranks are whole numbers even where they are tied.
    exact = n * (n + 1) <= EXACT_SUM_LIMIT
    p = sign_flip_test(2 * signed) if exact else float(2 * norm.sf(abs(signed.sum()) / np.sqrt((signed**2).sum())))
    return SignedRanks(positive, negative, n, min(1.0, p))


def rank_biserial(differences: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Matched-pairs rank biserial correlation, (W+ - W-) / (W+ + W-), of drawn texts: (replicates,).

    differences: (texts,), NaN where a method was not judged; weights: (replicates, texts), by default every text once.
    From -1, where the second is better wherever they differ, to 1. NaN where nothing drawn differs.
    Source: Kerby 2014, Comprehensive Psychology 3:11.IT.3.1.
    """
    own = np.isfinite(differences) & (differences != 0)
    size, sign = np.abs(differences[own]), np.sign(differences[own])
    drawn = np.ones((1, len(size))) if weights is None else weights[:, own]
    order = np.argsort(size, kind="stable")
    drawn, sign, size = drawn[:, order], sign[order], size[order]
    ranks = _weighted_ranks(drawn, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((drawn * ranks) @ sign / (drawn * ranks).sum(axis=1))


def _weighted_ranks(drawn: FloatArray, size: FloatArray) -> FloatArray:
    """Mean ranks of ascending sizes where each counts as often as it was drawn: (replicates, sizes)."""
    if not len(size):
        return drawn
    starts = np.flatnonzero(np.r_[True, np.diff(size) > 0])
    groups = np.add.reduceat(drawn, starts, axis=1)
    below = np.cumsum(groups, axis=1) - groups
    return np.repeat(below + (groups + 1) / 2, np.diff(np.r_[starts, len(size)]), axis=1)
