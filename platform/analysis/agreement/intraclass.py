"""Intraclass correlation: the share of the variance of ratings that lies between units. Shrout and Fleiss' six forms.

- one way (icc_1_1, icc_1_k): every unit has raters of its own, or it is not known which;
- two way, random (icc_2_1, icc_2_k): a sample of raters rated every unit; one who is always higher counts as error;
- two way, fixed (icc_3_1, icc_3_k): these raters and no others rated every unit; only their order counts;
- of one rating (_1), or of the mean of k ratings (_k).

MSB, MSW are the mean squares between and within units, MSR of raters, MSE the rest; n units, k ratings each:

    ICC(1,1) = (MSB - MSW) / (MSB + (k - 1) MSW)
    ICC(2,1) = (MSB - MSE) / (MSB + (k - 1) MSE + k (MSR - MSE) / n)
    ICC(3,1) = (MSB - MSE) / (MSB + (k - 1) MSE)
    ICC(1,k) = (MSB - MSW) / MSB
    ICC(2,k) = (MSB - MSE) / (MSB + (MSR - MSE) / n)
    ICC(3,k) = (MSB - MSE) / MSB

Sources: Shrout and Fleiss 1979, Intraclass correlations, Psychological Bulletin 86:420-428. Where units have unequal
numbers of ratings, one way has k_0 = (N - sum m_u^2 / N) / (n - 1) for k (Donner 1986, International Statistical Review
54:67-82).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import resample_groups
from analysis.agreement.measuring import Agreement, interval, pairing_status, with_facts
from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import REPLICATES

# Of numbers between -1 and 1, and of their mean squares together: a variance that is less is rounding.
TINY = 1e-12


class Squares(NamedTuple):
    """Mean squares of R resamples, (R,) each: between units, within units or what is left, of raters; and n and k."""

    between: FloatArray
    rest: FloatArray
    raters: FloatArray
    n: FloatArray
    k: FloatArray


def intraclass_correlation(ratings: Ratings, form: str, *, replicates: int = REPLICATES, seed: int = 0) -> Agreement:
    """One of FORMS, with an interval over resampled units.

    One way: over units with two ratings or more. Two way: over the units that every rater rated; "not_crossed" where
    there are none. Undefined for one unit ("too_few_units"), for ratings that are all one value ("unanimous"), and
    where the variance below the line is estimated as nothing or less ("constant_units"), as for means of k where all
    units have one mean. May be negative. Raises KeyError for an unknown form, ValueError for labels that are no numbers
    or where raters are not known.
    """
    formula, crossed = FORMS[form], form[4] != "1"
    used = ratings.crossed if crossed else ratings.pairable
    value, ci, status = None, None, _status(ratings, used)
    if status == "ok":
        group_of, squares = _two_way(used) if crossed else _one_way(used)

        def correlation(weights: FloatArray) -> FloatArray:
            with np.errstate(invalid="ignore", divide="ignore"):
                return formula(squares(weights))

        observed = float(correlation(np.bincount(group_of)[:, None].astype(float))[0])
        status = "ok" if np.isfinite(observed) else "constant_units"
        if status == "ok":
            value = observed
            ci = interval(observed, resample_groups(correlation, used, group_of, replicates, seed))
    return with_facts(form, "interval", ratings, value, ci, status, "units")


def _status(ratings: Ratings, used: Ratings) -> str:
    status = pairing_status(ratings)
    if status != "ok":
        return status
    if not len(used.profile_of):
        return "not_crossed"
    if len(used.profile_of) < 2:
        return "too_few_units"
    return "ok" if used.n_values_paired > 1 else "unanimous"


def _one_way(ratings: Ratings) -> tuple[IntArray, Callable[[FloatArray], Squares]]:
    """Units with equal value counts are one group, for which their numbers, sums and squares stand."""
    x = _numbers(ratings)
    m, sums, powers = (np.asarray(ratings.profiles @ x**power)[:, None] for power in (0, 1, 2))

    def squares(weights: FloatArray) -> Squares:
        n, total = weights.sum(axis=0), (weights * m).sum(axis=0)
        between = (weights * sums**2 / m).sum(axis=0) - (weights * sums).sum(axis=0) ** 2 / total
        within = (weights * np.maximum(powers - sums**2 / m, 0.0)).sum(axis=0)
        k = (total - (weights * m**2).sum(axis=0) / total) / (n - 1)
        return Squares(np.maximum(between, 0.0) / (n - 1), within / (total - n), np.zeros_like(n), n, k)

    return ratings.profile_of, squares


def _two_way(ratings: Ratings) -> tuple[IntArray, Callable[[FloatArray], Squares]]:
    """Of the matrix (units, k raters); every unit is a group of its own."""
    judgments = ratings.judgments
    if judgments is None:
        raise ValueError("Only value counts are known, not whose: these forms need the raters.")
    rows = np.zeros((len(ratings.profile_of), len(ratings.raters)))
    rows[judgments.units, judgments.raters] = _numbers(ratings)[judgments.values]
    means, k = rows.mean(axis=1), rows.shape[1]

    def squares(weights: FloatArray) -> Squares:
        n = weights.sum(axis=0)
        by_rater, grand = (rows.T @ weights) / n, (means @ weights) / n
        between = k * np.maximum(means**2 @ weights - n * grand**2, 0.0)
        raters = n * ((by_rater - grand) ** 2).sum(axis=0)
        whole = (rows**2).sum(axis=1) @ weights - n * k * grand**2
        rest = np.maximum(whole - between - raters, 0.0) / ((n - 1) * (k - 1))
        return Squares(between / (n - 1), rest, raters / (k - 1), n, np.full_like(n, k))

    return np.arange(len(rows)), squares


def _numbers(ratings: Ratings) -> FloatArray:
    """The values from -1 to 1: correlations do not change with place or unit, and small numbers lose no digits."""
    if not ratings.numeric:
        raise ValueError(f"Label {ratings.values[0]!r} is not a number; intraclass correlation needs numbers.")
    low, high = ratings.positions.min(), ratings.positions.max()
    return np.asarray((ratings.positions - (low + high) / 2) / ((high - low) or 1.0))


def _share(s: Squares, whole: FloatArray) -> FloatArray:
    """(MSB - rest) / whole, the rest being MSW or MSE; NaN where the whole is estimated as nothing, or below it."""
    some = whole > TINY * (1 + s.between + s.rest + s.raters)
    return np.where(some, (s.between - s.rest) / np.where(some, whole, 1.0), np.nan)


def _one(s: Squares) -> FloatArray:
    return _share(s, s.between + (s.k - 1) * s.rest)


def _absolute(s: Squares) -> FloatArray:
    return _share(s, s.between + (s.k - 1) * s.rest + s.k * (s.raters - s.rest) / s.n)


def _mean(s: Squares) -> FloatArray:
    return _share(s, s.between)


def _absolute_mean(s: Squares) -> FloatArray:
    return _share(s, s.between + (s.raters - s.rest) / s.n)


FORMS: dict[str, Callable[[Squares], FloatArray]] = {
    "icc_1_1": _one,
    "icc_2_1": _absolute,
    "icc_3_1": _one,
    "icc_1_k": _mean,
    "icc_2_k": _absolute_mean,
    "icc_3_k": _mean,
}
