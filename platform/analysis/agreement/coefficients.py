"""Agreement coefficients with bootstrap intervals over units, and a status where they are undefined."""

from dataclasses import dataclass

import numpy as np

from analysis.agreement.counting import Ratings
from analysis.agreement.levels import LEVELS, Level
from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, Statistic, bootstrap, percentile_interval, point


@dataclass(frozen=True)
class Agreement:
    """One coefficient. `value` and `ci` are None where `status` is not "ok"; `ci` alone may be None.

    status: ok, no_ratings, one_rater, one_rating_per_unit (also raters who share no unit), unanimous.
    """

    coefficient: str
    level: str
    value: float | None
    ci: tuple[float, float] | None
    n_units: int
    n_raters: int
    n_pairable: int
    status: str


def krippendorff_alpha(ratings: Ratings, level: str, *, replicates: int = REPLICATES, seed: int = 0) -> Agreement:
    """Krippendorff's alpha = 1 - D_o / D_e: observed over expected disagreement among pairable ratings.

    alpha = 1 - (n - 1) sum_(c<k) o_ck d_ck / sum_(c<k) n_c n_k d_ck, with o_ck the coincidences within units.
    Undefined where all pairable ratings are one value ("unanimous"): there is no variation to agree about.
    Resampled units keep their ratings; resamples without variation are left out of the interval.
    Raises KeyError for an unknown level. Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability.
    """
    status = _pairing_status(ratings)
    if status == "ok" and len(_values_in_use(ratings)) < 2:
        status = "unanimous"
    statistic = _alpha(ratings, LEVELS[level])
    return _measured("krippendorff_alpha", level, ratings, statistic, status, replicates, seed)


def percent_agreement(ratings: Ratings, *, replicates: int = REPLICATES, seed: int = 0) -> Agreement:
    """Mean over units of the share of its pairs of ratings that are equal (Fleiss 1971, observed agreement), 0..1."""
    unlike = 2 * np.asarray(ratings.pairs.sum(axis=1), dtype=float)
    shares = 1 - unlike / ratings.sizes

    def statistic(weights: FloatArray) -> FloatArray:
        return np.asarray(weights @ shares / weights.sum(axis=1))

    status = _pairing_status(ratings)
    return _measured("percent_agreement", "nominal", ratings, statistic, status, replicates, seed)


def _alpha(ratings: Ratings, level: Level) -> Statistic:
    values = ratings.values.to_numpy(dtype=float) if level.numeric else np.zeros(len(ratings.values))

    def statistic(weights: FloatArray) -> FloatArray:
        totals = np.asarray((ratings.counts.T @ weights.T).T)
        coincidences = np.asarray((ratings.pairs.T @ weights.T).T)
        distances = level.observed(values, totals, ratings.first, ratings.second)
        observed = (coincidences * distances).sum(axis=1)
        expected = level.expected(values, totals)
        varied = (totals > 0).sum(axis=1) > 1
        with np.errstate(invalid="ignore", divide="ignore"):
            alpha = 1 - (totals.sum(axis=1) - 1) * observed / expected
        return np.where(varied, alpha, np.nan)

    return statistic


def _measured(
    coefficient: str, level: str, ratings: Ratings, statistic: Statistic, status: str, replicates: int, seed: int
) -> Agreement:
    value, ci = None, None
    if status == "ok":
        units = ratings.n_pairable_units
        value = float(point(statistic, units))
        low, high = percentile_interval(bootstrap(statistic, units, replicates=replicates, seed=seed))
        ci = (float(low), float(high)) if np.isfinite(low) and units > 1 else None
    facts = (ratings.n_units, ratings.n_raters, ratings.n_pairable)
    return Agreement(coefficient, level, value, ci, *facts, status)


def _pairing_status(ratings: Ratings) -> str:
    if ratings.n_ratings == 0:
        return "no_ratings"
    if ratings.n_raters == 1:
        return "one_rater"
    return "ok" if ratings.n_pairable_units else "one_rating_per_unit"


def _values_in_use(ratings: Ratings) -> FloatArray:
    return np.flatnonzero(np.asarray(ratings.counts.sum(axis=0)) > 0).astype(float)
