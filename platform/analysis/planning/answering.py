"""What people answer, as a function of something normal that cannot be seen: one answer rule a protocol.

A latent value z = mu + text + text x method + worker + rest, whose four random parts have a variance of 1 together, is
turned into a score as reports count it. The inverse, from a score to mu and from correlations of scores to shares of
the latent variance, is what assumptions and pilots need.

Source: the threshold model of graded and right-or-wrong answers, McCullagh 1980, JRSS B 42:109-142.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from analysis.arrays import FloatArray

# From latent values of any shape to scores of that shape.
Answering = Callable[[FloatArray], FloatArray]
# How finely a normal distribution is cut where a mean over it is wanted.
FINE, COARSE = 2000, 80
# Beyond it a score is as good as always or never reached.
FARTHEST = 40.0
MOST_SHARED = 0.95


def right_or_wrong() -> Answering:
    """1 above 0, else 0: a guess, or what the model says foretold."""
    return lambda latent: (latent > 0).astype(latent.dtype)


def on_a_scale(low: int, high: int, spread: float) -> Answering:
    """A rating: the point of low..high nearest to the middle of the scale + spread x latent."""
    middle = (low + high) / 2
    return lambda latent: np.clip(np.rint(latent * latent.dtype.type(spread) + latent.dtype.type(middle)), low, high)


def preferred(ties: float) -> Answering:
    """1, 0.5 or 0: the first of a pair won, tied, or lost; `ties` is their share where both are equally good."""
    edge = float(ndtri((1 + ties) / 2))
    return lambda latent: ((latent > edge).astype(latent.dtype) + (latent >= -edge).astype(latent.dtype)) / 2


def uncovered(spread: float) -> Answering:
    """0.5 + spread x latent, cut to 0..1: the score of revealing, 0 where the guess was wrong."""
    return lambda latent: np.clip(latent * latent.dtype.type(spread) + latent.dtype.type(0.5), 0, 1)


def mean_answer(answering: Answering, mu: float) -> float:
    """Mean score over everybody and every text, by 2,000 quantiles of the latent distribution."""
    return float(answering(mu + quantiles(FINE)).mean())


def majority_chance(latent: FloatArray, shared: float, votes: int) -> FloatArray:
    """Chance that more than half of the votes on a cell are right, where all share the latent value's first part.

    latent: mu plus what the votes share; `shared`: its share of the variance. Votes are one person each, so the rest
    is independent: P(Binomial(votes, Phi(latent / sqrt(1 - shared))) > votes / 2).
    """
    return np.asarray(binom.sf(votes // 2, votes, ndtr(latent / np.sqrt(1 - shared))), dtype=float)


def mean_verdict(mu: float, shared: float, votes: int) -> float:
    """Share of cells whose majority is right."""
    return float(majority_chance(mu + np.sqrt(shared) * quantiles(FINE), shared, votes).mean())


def latent_mean(mean: Callable[[float], float], score: float) -> float:
    """The mu whose mean score is `score`; the farthest that is considered where none is."""
    low, high = mean(-FARTHEST) - score, mean(FARTHEST) - score
    if low >= 0 or high <= 0:
        return -FARTHEST if low >= 0 else FARTHEST
    return float(brentq(lambda mu: mean(mu) - score, -FARTHEST, FARTHEST, xtol=1e-6))


def answer_correlation(answering: Answering, mu: float, shared: float) -> float:
    """Pearson's r of two answers whose latent values share this part of their variance."""
    common = np.sqrt(shared) * quantiles(COARSE)[:, None]
    own = np.sqrt(1 - shared) * quantiles(FINE)[None, :]
    means = answering(mu + common + own).mean(axis=1)
    everything = answering(mu + quantiles(FINE))
    return float(means.var() / everything.var()) if everything.var() else 0.0


def verdict_correlation(mu: float, shared: float, cell: float, votes: int) -> float:
    """Pearson's r of two majority verdicts on cells that share `shared` of the latent variance, of `cell` in each."""
    common = np.sqrt(shared) * quantiles(COARSE)[:, None]
    own = np.sqrt(cell - shared) * quantiles(COARSE)[None, :]
    means = majority_chance(mu + common + own, cell, votes).mean(axis=1)
    share = float(means.mean())
    return float(means.var() / (share * (1 - share))) if 0 < share < 1 else 0.0


def latent_share(correlation: Callable[[float], float], observed: float, most: float = MOST_SHARED) -> float:
    """The share of latent variance that correlates answers as observed: 0 where they do not, `most` at most."""
    if observed <= 0 or most <= 0:
        return 0.0
    if correlation(most) <= observed:
        return most
    return float(brentq(lambda share: correlation(share) - observed, 0.0, most, xtol=1e-4))


@lru_cache
def quantiles(n: int) -> FloatArray:
    """The middles of n equally likely pieces of the standard normal distribution."""
    return np.asarray(ndtri((np.arange(n) + 0.5) / n), dtype=float)
