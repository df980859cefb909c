"""Ranks of methods under several metrics, and where the metrics disagree."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import CONFIDENCE, percentile_interval
from analysis.correlation.pairwise import FEWEST, tau_matrix
from analysis.passport.sharing import ENOUGH_METRICS, Shared, shared_items
from analysis.ranking.ordering import ranks

HIGHER, LOWER, NEARER_ZERO = "higher", "lower", "nearer_zero"


class Agreement(NamedTuple):
    """tau-b of two metrics over n methods, None where `status` is not "ok".

    status: ok, too_few_methods, tied_methods.
    """

    value: float | None
    n: int
    status: str


def goodness(means: FloatArray, better: str) -> FloatArray:
    """Means turned so that the higher the better: m, -m or -|m|."""
    return {HIGHER: means, LOWER: -means, NEARER_ZERO: -np.abs(means)}[better]


def metric_ranks(good: FloatArray) -> FloatArray:
    """Ranks of methods under each metric, of goodness (metrics, methods) with NaN where there is none.

    1 for the best, equal ones share the better rank; NaN where a metric ranks one method alone or none.
    """
    found = np.stack([ranks(row) for row in good]) if len(good) else np.zeros_like(good)
    alone = np.isfinite(good).sum(axis=1) < 2
    found[alone] = np.nan
    return found


def mean_ranks(found: FloatArray) -> tuple[FloatArray, int]:
    """Mean of ranks (metrics, methods) over the metrics that methods share, and how many these are.

    NaN for methods that lack too many of the metrics (`sharing.shared_items`): a mean over other metrics is another's.
    """
    shared = _shared_metrics(found)
    means = np.full(found.shape[1], np.nan)
    members = sorted(shared.members)
    if members:
        means[members] = found[np.ix_(sorted(shared.items), members)].mean(axis=0)
    return means, len(shared.items)


def resampled_ranks(drawn: FloatArray, found: FloatArray) -> FloatArray:
    """Ranks under each metric over resamples of texts, of goodness (replicates, metrics, methods), in its shape.

    found: ranks (metrics, methods) of the texts themselves; methods without one take no part, and are NaN.
    """
    good = np.where(np.isfinite(found), drawn, np.nan)
    # 1 + how many are better: with many resamples, a rank function that looks for NaN row by row takes seconds.
    ranked = 1.0 + (good[..., None, :] > good[..., :, None]).sum(-1)
    return np.where(np.isfinite(good), ranked, np.nan)


def rank_intervals(resampled: FloatArray) -> FloatArray:
    """95 % percentile intervals (2, metrics, methods) of resampled ranks: whole ranks, never between two.

    NaN where under half of the resamples are defined. How far other texts would move a rank, not other models.
    """
    defined = np.isfinite(resampled).mean(axis=0) >= 0.5
    filled = np.where(defined, resampled, 1.0)
    tail = (1 - CONFIDENCE) / 2
    ends = np.nanquantile(filled, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return np.where(defined, ends, np.nan)


def mean_rank_intervals(resampled: FloatArray, found: FloatArray) -> FloatArray:
    """Intervals (2, methods) of the means that `mean_ranks` gives for `found`, over the same metrics."""
    shared = _shared_metrics(found)
    intervals = np.full((2, found.shape[1]), np.nan)
    members = sorted(shared.members)
    if members:
        means = resampled[:, sorted(shared.items)][:, :, members].mean(axis=1)
        intervals[:, members] = percentile_interval(means)
    return intervals


def _shared_metrics(found: FloatArray) -> Shared:
    return shared_items([np.flatnonzero(np.isfinite(column)).tolist() for column in found.T], ENOUGH_METRICS)


def agreements(good: FloatArray) -> list[list[Agreement]]:
    """Kendall's tau-b between every two rows of goodness (metrics, methods): 1 where metrics rank methods alike.

    Source: Kendall 1945, Biometrika 33:239-251 (tau-b).
    """
    tau = tau_matrix(good)
    known = np.isfinite(good)
    return [
        [_agreement(float(tau[at, other]), int((known[at] & known[other]).sum())) for other in range(len(good))]
        for at in range(len(good))
    ]


def _agreement(tau: float, n: int) -> Agreement:
    if np.isfinite(tau):
        return Agreement(tau, n, "ok")
    return Agreement(None, n, "too_few_methods" if n < FEWEST else "tied_methods")
