"""What every coefficient of agreement comes with: its interval, what it rests on, and why it is undefined where it
is."""

from dataclasses import dataclass

import numpy as np

from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import Over, Statistic, observe, resample
from analysis.arrays import FloatArray
from analysis.bootstrap import percentile_interval


@dataclass(frozen=True)
class Agreement:
    """One coefficient. `value` and `ci` are None where `status` is not "ok"; `ci` alone may be None.

    ci: interval, 95 %, over resampled `over`: "units" (by cluster where ratings have clusters), "raters" or "both".
    None where fewer than two units or three raters can be resampled, or most resamples are undefined.
    status: ok, no_ratings, one_rater, one_rating_per_unit (also raters who share no unit), unanimous, uneven_ratings,
    not_two_raters, not_crossed, too_few_units, constant_units, negative_values.
    """

    coefficient: str
    level: str
    value: float | None
    ci: tuple[float, float] | None
    n_units: int
    n_raters: int
    n_pairable: int
    status: str
    over: Over = "units"


@dataclass(frozen=True)
class Bootstrap:
    """How an interval is made: what is resampled, how often, from which seed."""

    over: Over
    replicates: int
    seed: int


def measure(
    coefficient: str, level: str, ratings: Ratings, statistic: Statistic, status: str, bootstrap: Bootstrap
) -> Agreement:
    """The coefficient with its interval; resamples in which it is undefined are left out of it."""
    value, ci = None, None
    if status == "ok":
        value = observe(statistic, ratings)
        ci = interval(value, resample_if_any(ratings, statistic, bootstrap))
    return with_facts(coefficient, level, ratings, value, ci, status, bootstrap.over)


def with_facts(
    coefficient: str,
    level: str,
    ratings: Ratings,
    value: float | None,
    ci: tuple[float, float] | None,
    status: str,
    over: Over,
) -> Agreement:
    facts = (ratings.n_units, ratings.n_raters, ratings.n_pairable)
    return Agreement(coefficient, level, value, ci, *facts, status, over)


def resample_if_any(ratings: Ratings, statistic: Statistic, bootstrap: Bootstrap) -> FloatArray:
    """Over resamples; empty where there are too few to draw from.

    Two raters drawn with replacement are both, or one who has nobody to agree with: that is no distribution.
    """
    enough_units = bootstrap.over == "raters" or ratings.n_resampled >= 2
    enough_raters = bootstrap.over == "units" or len(ratings.raters) >= 3
    if not (enough_units and enough_raters):
        return np.empty(0)
    return resample(statistic, ratings, bootstrap.over, bootstrap.replicates, bootstrap.seed)


def interval(value: float, distribution: FloatArray) -> tuple[float, float] | None:
    """Percentiles of resamples, so that the value is between them.

    The copies of a unit that is drawn twice agree. Where hardly any other ratings do, that moves nearly all resamples
    to one side of the value; then the interval is moved back by what their median is off.
    """
    if not len(distribution):
        return None
    low, high = percentile_interval(distribution)
    if not np.isfinite(low):
        return None
    if low <= value <= high:
        return float(low), float(high)
    off = float(np.nanmedian(distribution)) - value
    return float(low) - off, min(float(high) - off, 1.0)


def pairing_status(ratings: Ratings) -> str:
    """Whether there is anything to compare. status: as for `Agreement`, but for unanimous."""
    if ratings.n_ratings == 0:
        return "no_ratings"
    if ratings.n_raters == 1:
        return "one_rater"
    return "ok" if ratings.n_pairable else "one_rating_per_unit"


def variation_status(ratings: Ratings) -> str:
    """As `pairing_status`, and whether pairable ratings differ at all."""
    status = pairing_status(ratings)
    return "unanimous" if status == "ok" and ratings.n_values_paired < 2 else status
