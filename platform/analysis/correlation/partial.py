"""Partial correlation: of people's scores with a metric, given what may move both, such as the length of the text.

With P the inverse of the correlation matrix of all variables, r_xy.rest = -P_xy / sqrt(P_xx P_yy); Spearman's is the
same of ranks. Source: Whittaker 1990, Graphical Models in Applied Multivariate Statistics, section 5.8.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval, point


class Partial(NamedTuple):
    """`value`, `ci` are None where `status` is not "ok"; n counts rows.

    status: ok, too_few, no_covariate_varies, constant_human_score, constant_metric, follows_from_covariates.
    """

    value: float | None
    ci: tuple[float, float] | None
    n: int
    given: tuple[str, ...]
    status: str


def partial_correlation(
    human: FloatArray,
    metric: FloatArray,
    covariates: dict[str, FloatArray],
    texts: IntArray,
    *,
    ranked: bool,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Partial:
    """Of rows (rows,), NaN where unknown: rows that lack anything are left out, covariates that do not vary too.

    texts: the text of each row, from 0; the interval resamples texts. ranked: Spearman's rho instead of Pearson's r;
    ranks are those of the whole sample, in every resample.
    """
    known = np.isfinite(np.vstack([human, metric, *covariates.values()])).all(axis=0)
    given = tuple(name for name, values in covariates.items() if known.any() and np.ptp(values[known]) > 0)
    rows = np.vstack([human, metric, *(covariates[name] for name in given)])[:, known]
    if status := _status(rows, given):
        return Partial(None, None, rows.shape[1], given, status)
    rows = rankdata(rows, axis=1) if ranked else rows
    moments, n_texts = _moments(
        (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True), texts[known]
    )

    def statistic(weights: FloatArray) -> FloatArray:
        return _partial(np.einsum("rt,tab->rab", weights, moments, optimize=True))

    value = float(point(statistic, n_texts))
    if not np.isfinite(value):
        return Partial(None, None, rows.shape[1], given, "follows_from_covariates")
    ci = percentile_interval(bootstrap(statistic, n_texts, replicates=replicates, seed=seed))
    return Partial(value, _pair(ci) if n_texts > 1 else None, rows.shape[1], given, "ok")


def _status(rows: FloatArray, given: tuple[str, ...]) -> str:
    if not given:
        return "no_covariate_varies"
    if rows.shape[1] < len(rows) + 2:
        return "too_few"
    if np.ptp(rows[0]) == 0:
        return "constant_human_score"
    return "constant_metric" if np.ptp(rows[1]) == 0 else ""


def _moments(rows: FloatArray, texts: IntArray) -> tuple[FloatArray, int]:
    """Sums of products by text of the rows and 1, (texts, variables + 1, variables + 1)."""
    _, text = np.unique(texts, return_inverse=True)
    complete = np.vstack([np.ones(rows.shape[1]), rows])
    n_texts = int(text.max()) + 1
    products = [[np.bincount(text, a * b, n_texts) for b in complete] for a in complete]
    return np.moveaxis(np.array(products), -1, 0), n_texts


def _partial(sums: FloatArray) -> FloatArray:
    """(replicates,) of sums (replicates, variables + 1, variables + 1); NaN where a matrix has no inverse."""
    n = sums[:, :1, :1]
    covariance = sums[:, 1:, 1:] / n - sums[:, 1:, :1] * sums[:, :1, 1:] / n**2
    found = np.full(len(sums), np.nan)
    regular = np.linalg.cond(covariance) < 1 / np.finfo(float).eps
    inverse = np.linalg.inv(covariance[regular])
    with np.errstate(invalid="ignore", divide="ignore"):  # Of rounding a variance can be left that is none.
        found[regular] = -inverse[:, 0, 1] / np.sqrt(inverse[:, 0, 0] * inverse[:, 1, 1])
    return found


def _pair(interval: FloatArray) -> tuple[float, float] | None:
    return (float(interval[0]), float(interval[1])) if np.isfinite(interval).all() else None
