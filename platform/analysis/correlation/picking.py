"""Which method a metric would have picked, and what following it costs in people's scores."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.bootstrap import percentile_interval


class Pick(NamedTuple):
    """A metric's choice among the methods that both people and it score; methods by their place.

    best: people's best; pick: the metric's; same: whether they are one, a tie for the first place included.
    probability: share of resamples in which they are one. swapped: of how many `pairs` of methods the two put the other
    way round, pairs tied on either side left out; swapped_ci its interval. loss: people's score of their best less that
    of the pick. Values are None where `status` is not "ok": metric_without_values, too_few (under two methods),
    constant_human_score, constant_metric.
    """

    best: int | None
    pick: int | None
    same: bool | None
    probability: float | None
    swapped: int | None
    swapped_ci: tuple[int, int] | None
    pairs: int
    loss: float | None
    loss_ci: tuple[float, float] | None
    n: int
    status: str


def pick(human: FloatArray, metric: FloatArray, drawn: tuple[FloatArray, FloatArray]) -> Pick:
    """human, metric: (methods,), the higher the better, NaN where unknown; drawn: both over (replicates, methods).

    Of methods tied for the first place the one that stands first is named.
    """
    known = np.flatnonzero(np.isfinite(human) & np.isfinite(metric))
    x, y = human[known], metric[known]
    if status := _status(x, y, metric):
        return Pick(None, None, None, None, None, None, 0, None, None, len(known), status)
    of_people, of_metric = (draws[:, known] for draws in drawn)
    swaps, ordered = _swapped(x[None], y[None])
    resampled = of_people.max(axis=1) - _at_pick(of_people, of_metric)
    low, high = np.quantile(_swapped(of_people, of_metric)[0], [0.025, 0.975], method="inverted_cdf")
    return Pick(
        best=int(known[np.argmax(x)]),
        pick=int(known[np.argmax(y)]),
        same=bool(_same(x[None], y[None])[0]),
        probability=float(_same(of_people, of_metric).mean()),
        swapped=int(swaps[0]),
        swapped_ci=(int(low), int(high)),
        pairs=int(ordered[0]),
        loss=float(x.max() - x[np.argmax(y)]),
        loss_ci=_pair(percentile_interval(resampled)),
        n=len(known),
        status="ok",
    )


def closest(taus: FloatArray) -> FloatArray:
    """Share of resamples in which each metric's oriented correlation is the highest, ties shared: (metrics,).

    taus: (replicates, metrics), NaN where undefined; NaN for a metric that never has one.
    """
    known = np.isfinite(taus)
    filled = np.where(known, taus, -np.inf)
    first = (filled == filled.max(axis=1, keepdims=True, initial=-np.inf)) & known
    some = first.any(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = (first[some] / first[some].sum(axis=1, keepdims=True)).sum(axis=0) / some.sum()
    return np.where(known.any(axis=0), shares, np.nan)


def _same(human: FloatArray, metric: FloatArray) -> BoolArray:
    """Whether some method is first, or tied for it, on both sides."""
    firsts = [side == side.max(axis=1, keepdims=True) for side in (human, metric)]
    return np.asarray((firsts[0] & firsts[1]).any(axis=1))


def _at_pick(human: FloatArray, metric: FloatArray) -> FloatArray:
    return np.take_along_axis(human, metric.argmax(axis=1)[:, None], axis=1)[:, 0]


def _swapped(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pairs of methods put the other way round, and pairs that both sides order: (replicates,) each."""
    first, second = np.triu_indices(human.shape[1], 1)
    products = np.sign(human[:, first] - human[:, second]) * np.sign(metric[:, first] - metric[:, second])
    return (products < 0).sum(axis=1), (products != 0).sum(axis=1)


def _status(x: FloatArray, y: FloatArray, metric: FloatArray) -> str:
    if not np.isfinite(metric).any():
        return "metric_without_values"
    if len(x) < 2:
        return "too_few"
    if np.ptp(x) == 0:
        return "constant_human_score"
    return "constant_metric" if np.ptp(y) == 0 else ""


def _pair(interval: FloatArray) -> tuple[float, float] | None:
    return (float(interval[0]), float(interval[1])) if np.isfinite(interval).all() else None
