"""One bootstrap for every statistic: resample units with replacement, take percentiles.

A statistic is a function of *unit weights*: given an array of shape (replicates, units) that says how often
each unit was drawn, it returns one row of values per replicate. A statistic that is a sum over units then costs
one matrix product for all replicates together.

Where judgments belong to two crossed factors, a text and a worker, both are drawn, each with replacement and each
apart from the other, and a judgment counts w_text * w_worker times: texts that are judged again would be others, and
so would the people. No array over (replicates, judgments) is ever made: the statistic is given the two weights.

Sources: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13 (percentile interval). Owen 2007, The
pigeonhole bootstrap, Annals of Applied Statistics 1:386-411 (two crossed factors).
"""

from collections.abc import Callable, Iterator

import numpy as np

from analysis.arrays import FloatArray

Statistic = Callable[[FloatArray], FloatArray]
# Of the weights of texts, (replicates, texts), and of workers, (replicates, workers).
CrossedStatistic = Callable[[FloatArray, FloatArray], FloatArray]

REPLICATES = 2000
CONFIDENCE = 0.95
# Weights held in memory at a time, in cells of the (replicates, units) array.
CHUNK_CELLS = 8_000_000
# Added to the seed, so that workers are drawn apart from texts.
OF_WORKERS = 2**40


def bootstrap(
    statistic: Statistic, n_units: int, *, size: int = 0, replicates: int = REPLICATES, seed: int = 0
) -> FloatArray:
    """The statistic's values over `replicates` resamples: shape (replicates, ...).

    size: numbers that the statistic holds at once for one replicate beside the weights; it bounds how many replicates
    are computed at a time, and changes no result. Undefined resamples come back as NaN. Raises ValueError when there
    is nothing to resample.
    """
    if n_units < 1 or replicates < 1:
        raise ValueError(f"A bootstrap needs units and replicates, got {n_units} and {replicates}.")
    step = max(1, CHUNK_CELLS // (n_units + size))
    return np.concatenate([statistic(weights) for weights in _resamples(n_units, replicates, seed, step)])


def crossed_bootstrap(
    statistic: CrossedStatistic,
    n_texts: int,
    n_workers: int,
    *,
    size: int = 0,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> FloatArray:
    """The statistic's values where texts and workers are resampled, each with replacement: shape (replicates, ...).

    size: as in `bootstrap`. Where there is one worker, or one text, only the other factor varies.
    Raises ValueError when there is nothing to resample.
    """
    if min(n_texts, n_workers, replicates) < 1:
        found = f"{n_texts}, {n_workers} and {replicates}"
        raise ValueError(f"A crossed bootstrap needs texts, workers and replicates, got {found}.")
    step = max(1, CHUNK_CELLS // (n_texts + n_workers + size))
    texts = _resamples(n_texts, replicates, seed, step)
    workers = _resamples(n_workers, replicates, seed + OF_WORKERS, step)
    return np.concatenate([statistic(*weights) for weights in zip(texts, workers, strict=True)])


def percentile_interval(distribution: FloatArray, confidence: float = CONFIDENCE) -> FloatArray:
    """Percentile interval along the first axis, shape (2, ...); NaN where under half the resamples are defined."""
    tail = (1 - confidence) / 2
    defined = np.isfinite(distribution).mean(axis=0) >= 0.5
    filled = np.where(defined, distribution, 0.0)
    interval = np.nanquantile(filled, [tail, 1 - tail], axis=0)
    return np.where(defined, interval, np.nan)


def point(statistic: Statistic, n_units: int) -> FloatArray:
    """The statistic of the sample itself: every unit once."""
    value: FloatArray = statistic(np.ones((1, n_units)))[0]
    return value


def _resamples(n_units: int, replicates: int, seed: int, step: int) -> Iterator[FloatArray]:
    """Weights drawn one replicate after the other, so that the chunk size never changes a result."""
    rng = np.random.default_rng(seed)
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        drawn = rng.integers(0, n_units, size=(rows, n_units))
        yield np.stack([np.bincount(row, minlength=n_units) for row in drawn]).astype(np.float64)
