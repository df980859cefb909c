"""How closely ratings follow the saliency that was shown: rank correlation, with workers and texts as clusters."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import REPLICATES, bootstrap, crossed_bootstrap, percentile_interval


class Following(NamedTuple):
    """Spearman's rho. `value` and `ci` are None where `status` is not "ok"; `n` counts what `over` resamples.

    status: ok, too_few, constant_human_score, constant_saliency.
    """

    value: float | None
    ci: tuple[float, float] | None
    n: int
    over: str
    status: str


def follow_pooled(
    saliency: FloatArray,
    ratings: FloatArray,
    texts: IntArray,
    workers: IntArray,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Following:
    """rho over all judgments (n,), ranks anew in every resample; the interval resamples texts and workers.

    A judgment drawn w times ranks as w equal ones: its rank is the mid-rank of its ties under the weights.
    Source: Spearman 1904, American Journal of Psychology 15:72-101.
    """
    status = _status(saliency, ratings)
    if status != "ok":
        return Following(None, None, len(ratings), "texts_and_workers", status)
    ties = [_ties(values) for values in (saliency, ratings)]

    def statistic(text_weights: FloatArray, worker_weights: FloatArray) -> FloatArray:
        return np.array(
            [
                _weighted_rho(ties, in_texts[texts] * of_workers[workers])
                for in_texts, of_workers in zip(text_weights, worker_weights, strict=True)
            ]
        )

    n_texts, n_workers = int(texts.max()) + 1, int(workers.max()) + 1
    drawn = crossed_bootstrap(statistic, n_texts, n_workers, replicates=replicates, seed=seed)
    value = _weighted_rho(ties, np.ones(len(ratings)))
    return Following(value, _interval(drawn, n_texts * n_workers), len(ratings), "texts_and_workers", "ok")


def follow_within_workers(
    saliency: FloatArray, ratings: FloatArray, workers: IntArray, *, replicates: int = REPLICATES, seed: int = 0
) -> tuple[Following, FloatArray]:
    """Mean over workers of each worker's own rho, its interval over workers; and rho by worker, NaN where undefined.

    How workers use the scale drops out. `n` counts the workers with a rho: those with three judgments that vary.
    """
    n_workers = int(workers.max(initial=-1)) + 1
    by_worker = np.full(n_workers, np.nan)
    order = np.argsort(workers, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(workers, minlength=n_workers))[:-1]) if n_workers else []:
        if _status(saliency[rows], ratings[rows]) == "ok":
            ties = [_ties(saliency[rows]), _ties(ratings[rows])]
            by_worker[workers[rows[0]]] = _weighted_rho(ties, np.ones(len(rows)))
    known = by_worker[np.isfinite(by_worker)]
    if not len(known):
        return Following(None, None, 0, "workers", _status(saliency, ratings).replace("ok", "too_few")), by_worker
    drawn = bootstrap(
        lambda weights: np.asarray(weights @ known / weights.sum(axis=1)), len(known), replicates=replicates, seed=seed
    )
    return Following(float(known.mean()), _interval(drawn, len(known)), len(known), "workers", "ok"), by_worker


def _status(saliency: FloatArray, ratings: FloatArray) -> str:
    if len(ratings) < 3:
        return "too_few"
    if np.ptp(ratings) == 0:
        return "constant_human_score"
    return "constant_saliency" if np.ptp(saliency) == 0 else "ok"


def _ties(values: FloatArray) -> IntArray:
    """(n,) which of the distinct values, in ascending order, each is."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _weighted_rho(ties: list[IntArray], weights: FloatArray) -> float:
    first, second = (_centred_ranks(tied, weights) for tied in ties)
    norm = np.sqrt((weights @ first**2) * (weights @ second**2))
    return float(weights @ (first * second) / norm) if norm > 0 else np.nan


def _centred_ranks(tied: IntArray, weights: FloatArray) -> FloatArray:
    totals = np.bincount(tied, weights)
    ranks = (np.cumsum(totals) - totals / 2)[tied]
    return np.asarray(ranks - weights.sum() / 2)


def _interval(drawn: FloatArray, n_units: int) -> tuple[float, float] | None:
    low, high = percentile_interval(drawn)
    return (float(low), float(high)) if np.isfinite(low) and n_units > 1 else None
