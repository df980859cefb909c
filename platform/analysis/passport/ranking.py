"""Ranks of methods under several metrics, and where the metrics disagree."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.correlation.pairwise import FEWEST, tau_matrix
from analysis.passport.sharing import ENOUGH_METRICS, shared_items
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
    shared = shared_items([np.flatnonzero(np.isfinite(column)).tolist() for column in found.T], ENOUGH_METRICS)
    means = np.full(found.shape[1], np.nan)
    members = sorted(shared.members)
    if members:
        means[members] = found[np.ix_(sorted(shared.items), members)].mean(axis=0)
    return means, len(shared.items)


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
