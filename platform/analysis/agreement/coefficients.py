"""Agreement of any number of raters, from value counts: per cent agreement, alpha, Fleiss' kappa, Gwet's AC1 and AC2.

All compare the observed disagreement, the mean distance of two ratings of a unit, with what is expected by chance. They
differ in the chance: the ratings of all units shuffled (alpha), drawn from their shares (Fleiss), or drawn where raters
guess (Gwet).
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import Over, Sample, Statistic
from analysis.agreement.levels import LEVELS, Level
from analysis.agreement.measuring import Agreement, Bootstrap, measure, pairing_status, variation_status
from analysis.agreement.weights import weighting
from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES


def percent_agreement(
    ratings: Ratings, *, over: Over = "units", replicates: int = REPLICATES, seed: int = 0
) -> Agreement:
    """Mean over units of the share of its pairs of ratings that are equal (Fleiss 1971, observed agreement), 0..1."""
    statistic = _of_disagreement(LEVELS["nominal"], lambda _positions, _totals, apart: 1 - apart)
    bootstrap = Bootstrap(over, replicates, seed)
    return measure("percent_agreement", "nominal", ratings.pairable, statistic, pairing_status(ratings), bootstrap)


def krippendorff_alpha(
    ratings: Ratings, level: str | Level, *, over: Over = "units", replicates: int = REPLICATES, seed: int = 0
) -> Agreement:
    """Krippendorff's alpha = 1 - D_o / D_e: observed over expected disagreement among pairable ratings.

    D_o = 1/n sum_u m_u sum_(c,k) n_uc n_uk d_ck / (m_u (m_u - 1)), D_e = sum_(c,k) n_c n_k d_ck / (n (n - 1)), with
    n_uc how often unit u got value c, m_u its ratings, n_c and n the sums over units, and d_ck the level's squared
    difference. level: a name in LEVELS, or one made by `metric_level`. Undefined where all pairable ratings are one
    value ("unanimous"): there is no variation to agree about; and at the ratio level where a value is below 0
    ("negative_values"). Raises KeyError for an unknown level. Source: Krippendorff 2011, Computing Krippendorff's
    Alpha-Reliability.
    """
    chosen = LEVELS[level] if isinstance(level, str) else level
    status = variation_status(ratings)
    if status == "ok" and not chosen.signed and ratings.positions.min() < 0:
        status = "negative_values"
    bootstrap = Bootstrap(over, replicates, seed)
    return measure("krippendorff_alpha", chosen.name, ratings.pairable, statistic_of_alpha(chosen), status, bootstrap)


def fleiss_kappa(ratings: Ratings, *, over: Over = "units", replicates: int = REPLICATES, seed: int = 0) -> Agreement:
    """Fleiss' kappa = (P - P_e) / (1 - P_e): P the per cent agreement, P_e = sum_c p_c^2 over the shares of the values.

    For equally many ratings of every unit ("uneven_ratings" where they are not; units with one are left out); undefined
    where all ratings are one value ("unanimous"). Raters are taken as interchangeable.
    Source: Fleiss 1971, Measuring nominal scale agreement among many raters, Psychological Bulletin 76:378-382.
    """

    def value(_positions: FloatArray, totals: FloatArray, apart: FloatArray) -> FloatArray:
        by_chance = 1 - ((totals / totals.sum(axis=0)) ** 2).sum(axis=0)
        return np.where(by_chance > 0, 1 - apart / by_chance, np.nan)

    status = variation_status(ratings)
    if status == "ok" and len(np.unique(ratings.pairable.sizes)) > 1:
        status = "uneven_ratings"
    statistic = _of_disagreement(LEVELS["nominal"], value)
    bootstrap = Bootstrap(over, replicates, seed)
    return measure("fleiss_kappa", "nominal", ratings.pairable, statistic, status, bootstrap)


def gwet_ac1(ratings: Ratings, *, over: Over = "units", replicates: int = REPLICATES, seed: int = 0) -> Agreement:
    """Gwet's AC1 = (p_a - p_e) / (1 - p_e): p_a the per cent agreement, p_e = sum_c pi_c (1 - pi_c) / (q - 1).

    pi_c is the mean over all units, those with one rating too, of the share of their ratings that are c; q counts the
    values of the scale. Unlike kappa and alpha it stays near the per cent agreement where one value is given nearly
    always. "unanimous" where the scale has one value; give `count_ratings` the scale, and unanimous raters have AC1 =
    1. Source: Gwet 2008, Computing inter-rater reliability and its variance in the presence of high agreement, British
    Journal of Mathematical and Statistical Psychology 61:29-48; missing ratings as in Gwet 2014, Handbook of
    Inter-Rater Reliability, 4th edition.
    """
    bootstrap = Bootstrap(over, replicates, seed)
    statistic = _gwet(LEVELS["nominal"], float(len(ratings.values)))
    return measure("gwet_ac1", "nominal", ratings, statistic, _scale_status(ratings), bootstrap)


def gwet_ac2(
    ratings: Ratings,
    weights: str = "quadratic",
    *,
    over: Over = "units",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Agreement:
    """Gwet's AC2: AC1 where near values agree in part, by weights w_ck: "linear", "quadratic" or "ordinal".

    p_a weighs pairs by w, and p_e = T / (q (q - 1)) sum_c pi_c (1 - pi_c) with T the sum of all w. See `gwet_ac1` for
    the rest and the source, and `analysis.agreement.weights` for w. Raises KeyError for unknown weights.
    """
    level, total = weighting(ratings.positions, weights)
    bootstrap = Bootstrap(over, replicates, seed)
    return measure("gwet_ac2", weights, ratings, _gwet(level, total), _scale_status(ratings), bootstrap)


def statistic_of_alpha(level: Level) -> Statistic:
    """Alpha of any sample. No rating is paired with itself: not for D_o, nor, of all n (n - 1) pairs, for D_e."""

    def parts(sample: Sample, totals: FloatArray) -> FloatArray:
        apart = sample.per_pair(level.within(sample, totals))
        return np.stack([_dot(sample.paired, sample.sizes * apart), _dot(sample.paired, sample.selves)])

    def value(positions: FloatArray, totals: FloatArray, parts: FloatArray) -> FloatArray:
        n, expected = totals.sum(axis=0), level.across(positions, totals)
        varied = ((totals > 0).sum(axis=0) > 1) & (expected > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(varied, 1 - parts[0] / n * (n**2 - parts[1]) / expected, np.nan)

    return Statistic(_paired_totals, parts, value, ranked=level.ranked)


def _of_disagreement(level: Level, value: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]) -> Statistic:
    """A value of positions, totals of the paired ratings, and the mean over units of how far two ratings are apart."""

    def parts(sample: Sample, totals: FloatArray) -> FloatArray:
        apart = sample.per_pair(level.within(sample, totals))
        return np.stack([_dot(sample.paired, apart), _dot(sample.paired, np.ones((1, 1)))])

    def found(positions: FloatArray, totals: FloatArray, parts: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return value(positions, totals, parts[0] / parts[1])

    return Statistic(_paired_totals, parts, found)


def _gwet(level: Level, total_weight: float) -> Statistic:
    """Totals are shares of values here, summed over all units that have a rating; units of one rating have no pairs."""

    def totals(sample: Sample) -> FloatArray:
        return sample.totals(sample.weights / np.where(sample.sizes > 0, sample.sizes, np.inf))

    def value(positions: FloatArray, totals: FloatArray, apart: FloatArray) -> FloatArray:
        q, shares = len(positions), totals / totals.sum(axis=0)
        by_chance = total_weight / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=0)
        return np.asarray(1 - apart / (1 - by_chance))

    return replace(_of_disagreement(level, value), totals=totals)


def _paired_totals(sample: Sample) -> FloatArray:
    return sample.totals(sample.paired)


def _dot(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Sum over groups, (R,); either may have one column, or row, that stands for all."""
    return np.asarray((weights * values).sum(axis=0))


def _scale_status(ratings: Ratings) -> str:
    status = pairing_status(ratings)
    return "unanimous" if status == "ok" and len(ratings.values) < 2 else status
