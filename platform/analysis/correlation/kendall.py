"""Kendall's tau-b between people's scores and automatic metrics, with intervals from resampling texts."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau

from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval, point

# Pairs of explanations compared at a time.
CHUNK_PAIRS = 4_000_000


@dataclass(frozen=True)
class Correlation:
    """tau-b of people against one metric. `value`, `ci`, `p` are None where `status` is not "ok".

    status: ok, metric_without_values, too_few, constant_human_score, constant_metric.
    """

    value: float | None
    ci: tuple[float, float] | None
    p: float | None
    n: int
    status: str


def correlate_explanations(
    human: FloatArray, metric: FloatArray, *, replicates: int = REPLICATES, seed: int = 0
) -> Correlation:
    """tau-b over explanations, of two arrays (texts, methods) with NaN where unknown; only pairs known in both count.

    The interval resamples texts with all their explanations. p is the usual one for independent observations, so
    with several explanations a text read the interval first. Quadratic in the number of explanations.
    Source: Kendall 1945, Biometrika 33:239-251 (tau-b).
    """
    known = np.isfinite(human) & np.isfinite(metric)
    x, y = human[known], metric[known]
    status = _status(x, y) if np.isfinite(metric).any() else "metric_without_values"
    if status != "ok":
        return Correlation(None, None, None, len(x), status)
    texts = np.unique(np.nonzero(known)[0], return_inverse=True)[1]
    concordance, untied_x, untied_y = _text_pairs(x, y, texts.astype(np.int64))

    def statistic(weights: FloatArray) -> FloatArray:
        agree, in_x, in_y = (((weights @ m) * weights).sum(axis=1) for m in (concordance, untied_x, untied_y))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(agree / np.sqrt(in_x * in_y))

    n_texts = int(texts.max()) + 1
    value = float(point(statistic, n_texts))
    ci = _interval(bootstrap(statistic, n_texts, replicates=replicates, seed=seed), n_texts)
    return Correlation(value, ci, float(kendalltau(x, y).pvalue), len(x), "ok")


def correlate_methods(human: FloatArray, metric: FloatArray, resampled: tuple[FloatArray, FloatArray]) -> Correlation:
    """tau-b over methods, of two arrays (methods,), NaN where unknown.

    resampled: the same two scores over bootstrap resamples of texts, each (replicates, methods).
    p is exact for up to 50 methods without ties (scipy). Fewer than three methods have no rank correlation.
    """
    known = np.isfinite(human) & np.isfinite(metric)
    x, y = human[known], metric[known]
    status = _status(x, y) if np.isfinite(metric).any() else "metric_without_values"
    if status != "ok":
        return Correlation(None, None, None, len(x), status)
    result = kendalltau(x, y)
    distribution = _row_taus(resampled[0][:, known], resampled[1][:, known])
    return Correlation(float(result.statistic), _interval(distribution, 2), float(result.pvalue), len(x), "ok")


def _row_taus(x: FloatArray, y: FloatArray) -> FloatArray:
    """tau-b of each row of x with the same row of y, NaN where a row is constant."""
    first, second = np.triu_indices(x.shape[1], 1)
    sign_x, sign_y = np.sign(x[:, first] - x[:, second]), np.sign(y[:, first] - y[:, second])
    with np.errstate(invalid="ignore", divide="ignore"):
        norm = np.sqrt((sign_x**2).sum(axis=1) * (sign_y**2).sum(axis=1))
        return np.asarray((sign_x * sign_y).sum(axis=1) / norm)


def _text_pairs(x: FloatArray, y: FloatArray, texts: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Pairs of explanations summed by pair of texts: concordant minus discordant, untied in x, untied in y.

    With texts drawn w times, tau-b is w'Cw / sqrt(w'Xw w'Yw): copies of one explanation are ties and add nothing.
    """
    order = np.argsort(texts, kind="stable")
    x, y, texts = x[order], y[order], texts[order]
    starts = np.flatnonzero(np.r_[True, np.diff(texts) > 0])
    n_texts = len(starts)
    sums = np.zeros((3, n_texts, n_texts))
    step = max(1, CHUNK_PAIRS // len(x))
    for begin in range(0, len(x), step):
        rows = slice(begin, begin + step)
        sign_x = np.sign(x[rows, None] - x[None, :])
        sign_y = np.sign(y[rows, None] - y[None, :])
        for total, signs in zip(sums, (sign_x * sign_y, np.abs(sign_x), np.abs(sign_y)), strict=True):
            np.add.at(total, texts[rows], np.add.reduceat(signs, starts, axis=1))
    return sums[0], sums[1], sums[2]


def _interval(distribution: FloatArray, n_units: int) -> tuple[float, float] | None:
    low, high = percentile_interval(distribution)
    return (float(low), float(high)) if np.isfinite(low) and n_units > 1 else None


def _status(x: FloatArray, y: FloatArray) -> str:
    if len(x) < 3:
        return "too_few"
    if (x == x[0]).all():
        return "constant_human_score"
    return "constant_metric" if (y == y[0]).all() else "ok"
