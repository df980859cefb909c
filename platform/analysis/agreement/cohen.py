"""Cohen's kappa of two raters, plain or weighted."""

import numpy as np

from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import resample_groups
from analysis.agreement.levels import Distance
from analysis.agreement.measuring import Agreement, interval, pairing_status, with_facts
from analysis.agreement.weights import distances
from analysis.arrays import FloatArray, IntArray
from analysis.bootstrap import REPLICATES


def cohen_kappa(
    ratings: Ratings, weights: str | Distance = "none", *, replicates: int = REPLICATES, seed: int = 0
) -> Agreement:
    """Cohen's kappa = 1 - sum_ck d_ck p_ck / sum_ck d_ck p_c. p_.k: two raters, each with a chance of their own.

    p_ck is the share of the units that the first rater gave c and the second k; d_ck = 1 for unlike values, or 1 minus
    the weights of `analysis.agreement.weights` ("linear", "quadratic", "ordinal", or a distance of one's own). Over
    the units that both rated. "not_two_raters" where they are not two; "unanimous" where both gave one and the same
    value to all. The interval resamples units. Raises KeyError for unknown weights; ValueError where raters are not
    known. Sources: Cohen 1960, Educational and Psychological Measurement 20:37-46; weighted: Cohen 1968, Psychological
    Bulletin 70:213-220.
    """
    value, ci, status = None, None, _status(ratings)
    if status == "ok":
        both, apart = ratings.pairable, distances(ratings.positions, weights)
        cells, pair_of = _pairs(both)

        def kappa(drawn: FloatArray) -> FloatArray:
            return _kappa(cells, apart, drawn)

        value = float(kappa(np.bincount(pair_of)[:, None].astype(float))[0])
        ci = interval(value, resample_groups(kappa, both, pair_of, replicates, seed))
    name = weights if isinstance(weights, str) else "custom"
    level = "nominal" if name == "none" else name
    return with_facts("cohen_kappa", level, ratings, value, ci, status, "units")


def _status(ratings: Ratings) -> str:
    status = pairing_status(ratings)
    if status != "ok":
        return status
    if len(ratings.pairable.raters) != 2:
        return "not_two_raters"
    return "ok" if ratings.n_values_paired > 1 else "unanimous"


def _pairs(ratings: Ratings) -> tuple[IntArray, IntArray]:
    """The different pairs of values (pairs, 2), first rater first, and which of them each unit got."""
    judgments = ratings.judgments
    assert judgments is not None
    values = np.zeros((len(ratings.profile_of), 2), dtype=np.int64)
    values[judgments.units, judgments.raters] = judgments.values
    keys, pair_of = np.unique(values[:, 0] * len(ratings.values) + values[:, 1], return_inverse=True)
    return np.stack(np.divmod(keys, len(ratings.values)), axis=1), pair_of


def _kappa(cells: IntArray, apart: FloatArray, drawn: FloatArray) -> FloatArray:
    """Of how often each pair of values was drawn, (pairs, R)."""
    first, second = (_by_value(cells[:, side], drawn, len(apart)) for side in (0, 1))
    n = drawn.sum(axis=0)
    observed = apart[cells[:, 0], cells[:, 1]] @ drawn * n
    expected = (first * (apart @ second)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _by_value(values: IntArray, drawn: FloatArray, n_values: int) -> FloatArray:
    sums = np.zeros((n_values, drawn.shape[1]))
    np.add.at(sums, values, drawn)
    return sums
