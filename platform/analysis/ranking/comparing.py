"""Tests of differences between methods judged on the same texts."""

from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest, chi2, friedmanchisquare, t

from analysis.arrays import FloatArray

EXACT_SUM_LIMIT = 100_000
# Differences times their sum: what an exact test may cost, about a second.
EXACT_WORK = 300_000_000
# Differences of means of up to six judgments are multiples of one of these parts.
UNITS = range(1, 61)


class McNemar(NamedTuple):
    """Discordant pairs and the exact p value."""

    first_only: int
    second_only: int
    p: float


class Friedman(NamedTuple):
    """Chi squared with its degrees of freedom, over n texts; `status` says why where undefined."""

    chi2: float | None
    df: int
    p: float | None
    n: int
    status: str


def mcnemar(first: FloatArray, second: FloatArray) -> McNemar:
    """Exact McNemar test of two series of verdicts (1, 0, NaN where unjudged; pairs with a NaN are left out).

    Two-sided binomial test of the discordant pairs against one half; p is 1 without discordant pairs.
    Source: McNemar 1947, Psychometrika 12:153-157. Pairs are taken as independent: where one text gives several
    pairs, read `sign_flip_test` beside it.
    """
    first_only = int(((first == 1) & (second == 0)).sum())
    second_only = int(((first == 0) & (second == 1)).sum())
    discordant = first_only + second_only
    p = float(binomtest(first_only, discordant).pvalue) if discordant else 1.0
    return McNemar(first_only, second_only, p)


def mcnemar_by_text(first_only: FloatArray, second_only: FloatArray, pairs: FloatArray) -> float:
    """Two-sided p of McNemar's test where pairs come in clusters, here the texts.

    chi2 = (sum_t (b_t - c_t) / n_t)^2 / sum_t ((b_t - c_t) / n_t)^2 with one degree of freedom; of one pair a text it
    is McNemar's own. first_only (b), second_only (c), pairs (n): (texts,). p is 1 where nothing differs.
    Source: Durkalski, Palesch, Lipsitz and Rust 2003, Statistics in Medicine 22:2417-2428.
    """
    own = pairs > 0
    shares = (first_only[own] - second_only[own]) / pairs[own]
    if not shares.any():
        return 1.0
    return float(chi2.sf(shares.sum() ** 2 / (shares**2).sum(), 1))


def wald_test(difference: float, variance: float, df: float) -> float | None:
    """Two-sided p of a difference with a variance from resampling, by Student's t; None without variance or df.

    `analysis.scoring.drawing` gives the two-way variance of texts and workers with its degrees of freedom (Cameron,
    Gelbach and Miller 2011, Journal of Business and Economic Statistics 29:238-249).
    """
    if df < 1 or not variance > 0:
        return None
    return float(2 * t.sf(abs(difference) / np.sqrt(variance), df))


def sign_flip_test(differences: FloatArray, *, replicates: int = 20_000, seed: int = 0) -> float:
    """Two-sided p of the sum of per-text differences under random signs: each text is one unit, whatever it repeats.

    Exact (all sign patterns, by convolution) where differences are multiples of some 1/u, u up to 60, as means of few
    judgments are; otherwise by `replicates` draws, p = (1 + extreme) / (1 + replicates). NaN are left out; p is 1 where
    every difference is 0. Source: Fisher 1935, The Design of Experiments, section 21.
    """
    known = differences[np.isfinite(differences) & (differences != 0)]
    if known.size == 0:
        return 1.0
    whole = _in_units(known)
    if whole is not None and np.abs(whole).sum() <= EXACT_SUM_LIMIT and np.abs(whole).sum() * len(whole) <= EXACT_WORK:
        return _exact_sign_flip(np.abs(whole), abs(int(whole.sum())))
    rng = np.random.default_rng(seed)
    total = known.sum()
    observed = abs(total) * (1 - 1e-12)
    extreme = 0
    for rows in _chunks(replicates, max(1, 4_000_000 // known.size)):
        # Of a sum with some signs turned, what was turned is taken off twice.
        bits = np.frombuffer(rng.bytes(rows * -(-known.size // 8)), dtype=np.uint8).reshape(rows, -1)
        turned = np.unpackbits(bits, axis=1, count=known.size) @ known
        extreme += int((np.abs(total - 2 * turned) >= observed).sum())
    return (1 + extreme) / (1 + replicates)


def friedman(scores: FloatArray) -> Friedman:
    """Friedman test over scores of shape (texts, methods); texts with a missing score are left out.

    Source: Friedman 1937, JASA 32:675-701, with the correction for ties.
    """
    whole = scores[np.isfinite(scores).all(axis=1)]
    n, methods = whole.shape
    if methods < 3 or n < 2:
        return Friedman(None, max(methods - 1, 0), None, n, "too_few_methods" if methods < 3 else "too_few_texts")
    if (whole == whole[:, :1]).all():
        return Friedman(None, methods - 1, None, n, "all_tied")
    result = friedmanchisquare(*whole.T)
    return Friedman(float(result.statistic), methods - 1, float(result.pvalue), n, "ok")


def holm(p_values: FloatArray) -> FloatArray:
    """Holm's step-down adjustment: p_(i) becomes max over j <= i of (m - j + 1) p_(j), at most 1.

    Source: Holm 1979, Scandinavian Journal of Statistics 6:65-70.
    """
    order = np.argsort(p_values, kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p_values: FloatArray) -> FloatArray:
    """Step-up adjustment for the false discovery rate: p_(i) becomes min over j >= i of m p_(j) / j, at most 1.

    Source: Benjamini and Hochberg 1995, Journal of the Royal Statistical Society B 57:289-300.
    """
    order = np.argsort(p_values, kind="stable")[::-1]
    steps = p_values[order] * len(p_values) / np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps), 1.0)
    return adjusted


def _in_units(values: FloatArray) -> np.ndarray | None:
    """The values as whole multiples of the largest 1/u that they all are multiples of; None where there is none."""
    for parts in UNITS:
        scaled = values * parts
        if np.abs(scaled - np.rint(scaled)).max() < 1e-6:
            return np.rint(scaled).astype(np.int64)
    return None


def _exact_sign_flip(sizes: np.ndarray, observed: int) -> float:
    """P(|sum of random signs x sizes| >= observed), by convolving one text after the other."""
    chances = np.ones(1)
    for size in sizes:
        widened = np.zeros(len(chances) + 2 * size)
        widened[: len(chances)] += chances / 2
        widened[2 * size :] += chances / 2
        chances = widened
    sums = np.abs(np.arange(len(chances)) - sizes.sum())
    return min(1.0, float(chances[sums >= observed].sum()))


def _chunks(total: int, step: int) -> list[int]:
    return [min(step, total - start) for start in range(0, total, step)]
