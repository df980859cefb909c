"""How reliable people's scores are, what that lets a metric reach, and what a correlation would be without their noise.

    reliability   rel = 2 r / (1 + r), with r the correlation of two random halves (Spearman-Brown)
    noise ceiling sqrt(rel): what even the true scores would correlate with the scores that there are
    corrected     r / sqrt(rel), for a metric that has no noise of its own

Rank coefficients have no such rules. Theirs are taken through the r that goes with them where both sides are normal,
r = sin(pi tau / 2) = 2 sin(pi rho / 6), and back. For rho the two hardly differ, tied or not. For tau-b ties make the
rule wrong, so where people's scores tie often there is none.
Sources: Spearman 1904, American Journal of Psychology 15:72-101 (attenuation); Spearman 1910 and Brown 1910, British
Journal of Psychology 3:271-295 and 3:296-322; Greiner 1909, Zeitschrift fuer Mathematik und Physik 57:121-158.
"""

from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval
from analysis.correlation.coefficients import COEFFICIENTS, KENDALL, Single, correlate_rows
from analysis.correlation.pooled import pooled, resample_pooled
from analysis.correlation.within import resample_within
from analysis.scoring.people import mean_known

METHODS, EXPLANATIONS, WITHIN = "methods", "explanations", "explanations_within_text"
# Below it a correction would multiply noise: the corrected value is withheld.
LEAST = 0.1
# Share of pairs of scores that may be tied where a rule of tau-b is to hold.
MOST_TIED = 0.1
# Splits that resamples of texts take turns with.
RESAMPLED_SPLITS = 20


class Reliability(NamedTuple):
    """Of people's scores, by one coefficient. `halves` is the mean correlation of halves, `value` is of all judgments.

    draws: `value` over resamples of texts, (replicates,), each of one split.

    status: ok, reliability_too_low, reliability_undefined, too_many_ties.
    """

    halves: float | None
    value: float | None
    ci: tuple[float, float] | None
    ceiling: float | None
    ceiling_ci: tuple[float, float] | None
    draws: FloatArray
    status: str


def to_pearson(values: FloatArray) -> FloatArray:
    """(..., coefficients) to the Pearson's r that goes with each."""
    tau, rho, r = np.moveaxis(np.asarray(values, dtype=float), -1, 0)
    return np.stack([np.sin(np.pi / 2 * tau), 2 * np.sin(np.pi / 6 * rho), r], axis=-1)


def from_pearson(values: FloatArray) -> FloatArray:
    """The way back, of what is cut to -1..1."""
    tau, rho, r = np.moveaxis(np.clip(np.asarray(values, dtype=float), -1.0, 1.0), -1, 0)
    return np.stack([2 / np.pi * np.arcsin(tau), 6 / np.pi * np.arcsin(rho / 2), r], axis=-1)


def spearman_brown(halves: FloatArray) -> FloatArray:
    """Reliability of twice as many judgments as a half has, 2 r / (1 + r); cut at -1, as no reliability is below 0."""
    return np.asarray(np.maximum(2 * halves / np.maximum(1 + halves, 1e-9), -1.0))


def measure_reliability(halves: Single, over: str, *, replicates: int = REPLICATES, seed: int = 0) -> list[Reliability]:
    """One for each coefficient, from halves (splits, 2, texts, methods); `over` is METHODS, EXPLANATIONS or WITHIN.

    The correlation of halves is averaged over the splits, as r. Resamples are of texts.
    """
    splits = to_pearson(np.stack([_correlate(pair[0].astype(float), pair[1].astype(float), over) for pair in halves]))
    known = np.isfinite(splits)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known.mean(axis=0) > 0.5, np.nansum(splits, axis=0) / known.sum(axis=0), np.nan)
    drawn = _resample(halves, over, replicates, seed)
    values, draws = spearman_brown(mean), spearman_brown(to_pearson(drawn))
    ceilings = from_pearson(np.sqrt(np.maximum(values, 0.0)))
    ceiling_draws = from_pearson(np.sqrt(np.maximum(draws, 0.0)))
    told = [
        _told(mean[at], values[at], draws[:, at], ceilings[at], ceiling_draws[:, at]) for at in range(len(COEFFICIENTS))
    ]
    if _tied(halves[0, 0], over) > MOST_TIED:
        told[COEFFICIENTS.index(KENDALL)] = Reliability(None, None, None, None, None, draws[:, 0], "too_many_ties")
    return told


def correct(value: FloatArray, reliability: FloatArray) -> FloatArray:
    """Correlations (..., coefficients) without the noise in people's scores, cut to -1..1.

    reliability: (..., coefficients), broadcast; NaN where it is not above 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        raised = to_pearson(value) / np.sqrt(np.where(reliability > 0, reliability, np.nan))
    return from_pearson(raised)


def _told(half: float, value: float, draws: FloatArray, ceiling: float, ceiling_draws: FloatArray) -> Reliability:
    if not np.isfinite(value):
        return Reliability(None, None, None, None, None, draws, "reliability_undefined")
    ci, ceiling_ci = _interval(draws), _interval(ceiling_draws)
    # A divisor that may as well be nothing corrects nothing.
    low = value < LEAST or (ci is not None and ci[0] <= 0)
    status = "reliability_too_low" if low else "ok"
    return Reliability(float(half), float(value), ci, float(ceiling), ceiling_ci, draws, status)


def _tied(scores: Single, over: str) -> float:
    """Share of the pairs that a coefficient compares whose scores are equal."""
    if over == METHODS:
        return 0.0
    known = np.isfinite(scores)
    if over == WITHIN:
        both = known[:, :, None] & known[:, None, :] & ~np.eye(scores.shape[1], dtype=bool)
        equal = scores[:, :, None] == scores[:, None, :]
        return float((both & equal).sum() / max(1, both.sum()))
    counts = np.unique(scores[known], return_counts=True)[1].astype(float)
    n = counts.sum()
    return float((counts * (counts - 1)).sum() / max(1.0, n * (n - 1)))


def _interval(draws: FloatArray) -> tuple[float, float] | None:
    low, high = percentile_interval(draws)
    return (float(low), float(high)) if np.isfinite(low) else None


def _correlate(first: FloatArray, second: FloatArray, over: str) -> FloatArray:
    """Of the two halves of one split: (coefficients,)."""
    if over == EXPLANATIONS:
        return pooled(first, second)
    if over == METHODS:
        return correlate_rows(mean_known(first.T), mean_known(second.T))
    return mean_known(correlate_rows(first, second).T)


def _resample(halves: Single, over: str, replicates: int, seed: int) -> FloatArray:
    """(replicates, coefficients), each of one of a few splits, so that splits vary as texts do."""
    halves = halves[:RESAMPLED_SPLITS]
    n_texts, done = halves.shape[2], 0
    if n_texts < 2:
        return np.full((replicates, len(COEFFICIENTS)), np.nan)

    def drawn(weights: FloatArray) -> FloatArray:
        nonlocal done
        split = (done + np.arange(len(weights))) % len(halves)
        done += len(weights)
        found = np.full((len(weights), len(COEFFICIENTS)), np.nan)
        for one in np.unique(split):
            first, second = halves[one].astype(float)
            found[split == one] = _of_weights(first, second, over, weights[split == one])
        return found

    return bootstrap(drawn, n_texts, replicates=replicates, seed=seed)


def _of_weights(first: FloatArray, second: FloatArray, over: str, weights: FloatArray) -> FloatArray:
    if over == METHODS:
        return correlate_rows(_drawn_means(first, weights), _drawn_means(second, weights))
    resample = resample_within if over == WITHIN else resample_pooled
    return np.asarray(resample(first[None], second[..., None], weights)[:, 0])


def _drawn_means(scores: FloatArray, weights: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((weights @ np.nan_to_num(scores)) / (weights @ np.isfinite(scores).astype(float)))
