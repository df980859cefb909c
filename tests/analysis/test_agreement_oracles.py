"""Every coefficient against an implementation of somebody else's, on made-up ratings."""

from typing import Any, cast

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.formula.api import ols
from statsmodels.stats import inter_rater
from statsmodels.stats.anova import anova_lm

from analysis.agreement.coefficients import fleiss_kappa, krippendorff_alpha, statistic_of_alpha
from analysis.agreement.cohen import cohen_kappa
from analysis.agreement.counting import Ratings
from analysis.agreement.drawing import draw_each, draw_groups, resample
from analysis.agreement.intraclass import FORMS, intraclass_correlation
from analysis.agreement.levels import LEVELS
from analysis.arrays import FloatArray
from tests.analysis.rated import random_matrix, ratings

FEW = 20
SPARSE = random_matrix(6, 40, missing=0.4, seed=5)
WHOLE = random_matrix(4, 25, seed=11)


def reference(matrix: FloatArray, level: str, domain: Any = None) -> float:
    return float(
        krippendorff.alpha(reliability_data=matrix, level_of_measurement=cast(Any, level), value_domain=domain)
    )


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_equals_the_krippendorff_package(level: str) -> None:
    value = krippendorff_alpha(ratings(SPARSE), level, replicates=FEW).value
    assert value == pytest.approx(reference(SPARSE, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_many_values_equals_the_krippendorff_package(level: str) -> None:
    matrix = np.random.default_rng(2).gamma(3, 10, size=(3, 60))
    value = krippendorff_alpha(ratings(matrix), level, replicates=FEW).value
    assert value == pytest.approx(reference(matrix, level), abs=1e-10)


@pytest.mark.parametrize("level", LEVELS)
def test_every_resample_of_units_is_alpha_of_the_units_drawn(level: str) -> None:
    """What pooled value counts give is what matrices give whose columns are repeated as often as they were drawn."""
    counted = ratings(WHOLE)
    of_one = np.unique(counted.profile_of, return_index=True)[1]
    statistic = krippendorff_alpha(counted, level, replicates=60, seed=4)
    rng = np.random.default_rng(np.random.SeedSequence(4).spawn(2)[0])
    [drawn] = draw_groups(counted, counted.profile_of, len(of_one), 60, rng, 60)
    values = [reference(WHOLE[:, np.repeat(of_one, column.astype(int))], level) for column in drawn.T]
    assert statistic.ci == pytest.approx(np.quantile(values, [0.025, 0.975]), abs=1e-10)


def test_every_resample_of_raters_is_alpha_without_pairs_of_a_rater_with_themselves() -> None:
    counted = ratings(SPARSE).pairable
    found = resample(statistic_of_alpha(LEVELS["interval"]), counted, "raters", 40, 9)
    drawn = draw_each(len(counted.raters), 40, np.random.default_rng(np.random.SeedSequence(9).spawn(2)[1]))
    assert found == pytest.approx([by_pairs(counted, weights) for weights in drawn.T], abs=1e-10)


def by_pairs(counted: Ratings, weights: FloatArray) -> float:
    """Interval alpha of copies of raters, pair by pair: copies of one rater are never paired."""
    judgments = counted.judgments
    assert judgments is not None
    rows = list(zip(judgments.units, judgments.raters, counted.positions[judgments.values], strict=True))
    observed = n = total = 0.0
    kept = []
    for unit in range(len(counted.profile_of)):
        own = [(rater, value) for at, rater, value in rows if at == unit and weights[rater]]
        pairs = [(weights[a] * weights[b], (x - y) ** 2) for a, x in own for b, y in own if a != b]
        if pairs:
            size = sum(weights[rater] for rater, _ in own)
            observed += size * sum(w * d for w, d in pairs) / sum(w for w, _ in pairs)
            n += size
            kept += [(unit, rater, value) for rater, value in own]
    pairs = [(weights[a] * weights[b], (x - y) ** 2) for u, a, x in kept for v, b, y in kept if not (u == v and a == b)]
    total = sum(w * d for w, d in pairs) / sum(w for w, _ in pairs)
    return float(1 - observed / n / total)


def test_fleiss_kappa_equals_statsmodels() -> None:
    counts = inter_rater.aggregate_raters(WHOLE.T.astype(int))[0]
    assert fleiss_kappa(ratings(WHOLE), replicates=FEW).value == pytest.approx(inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_equals_scikit_learn(weights: str) -> None:
    matrix = random_matrix(2, 60, seed=3)
    expected = cohen_kappa_score(*matrix, weights=None if weights == "none" else weights)
    assert cohen_kappa(ratings(matrix), weights, replicates=FEW).value == pytest.approx(expected)


def test_cohen_kappa_is_over_the_units_that_both_rated() -> None:
    matrix = random_matrix(2, 60, missing=0.3, seed=3)
    both = matrix[:, np.isfinite(matrix).all(axis=0)]
    found = cohen_kappa(ratings(matrix), replicates=FEW)
    assert found.value == pytest.approx(cohen_kappa_score(*both)) and found.n_pairable == both.size


@pytest.mark.parametrize("form", FORMS)
def test_intraclass_correlation_equals_pingouin(form: str) -> None:
    way, kind = form[4], form[6]
    name = f"ICC({ {'1': '1', '2': 'A', '3': 'C'}[way] },{kind})"
    rows = [(unit, rater, WHOLE[rater, unit]) for rater, unit in np.ndindex(WHOLE.shape)]
    frame = pd.DataFrame(rows, columns=["unit", "rater", "label"])
    table = pingouin.intraclass_corr(frame, targets="unit", raters="rater", ratings="label").set_index("Type")
    found = intraclass_correlation(ratings(WHOLE), form, replicates=FEW).value
    assert found == pytest.approx(table.loc[name, "ICC"], abs=1e-9)


def test_one_way_correlation_of_unequal_numbers_equals_the_analysis_of_variance() -> None:
    """Mean squares by statsmodels' ordinary least squares, and k_0 of Donner 1986."""
    rows = [(unit, SPARSE[rater, unit]) for rater, unit in np.ndindex(SPARSE.shape) if np.isfinite(SPARSE[rater, unit])]
    frame = pd.DataFrame(rows, columns=["unit", "label"])
    frame = frame[frame.groupby("unit")["label"].transform("size") > 1]
    between, within = anova_lm(ols("label ~ C(unit)", frame).fit())["mean_sq"]
    sizes = frame.groupby("unit").size()
    k = (len(frame) - (sizes**2).sum() / len(frame)) / (len(sizes) - 1)
    found = intraclass_correlation(ratings(SPARSE), "icc_1_1", replicates=FEW).value
    assert found == pytest.approx((between - within) / (between + (k - 1) * within))
