"""What users of other tools reported: each kind with the right value, or the reason why there is none."""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.coefficients import fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha, percent_agreement
from analysis.agreement.cohen import cohen_kappa
from analysis.agreement.counting import count_ratings
from analysis.agreement.intraclass import FORMS, intraclass_correlation
from analysis.agreement.levels import LEVELS
from analysis.agreement.measuring import Agreement
from analysis.agreement.splitting import prevalence
from tests.analysis.rated import CANONICAL, SHROUT_FLEISS, random_matrix, ratings, two_raters

FEW = 40
_ = np.nan
Coefficient = Callable[[np.ndarray], Agreement]


def of(coefficient: Callable[..., Agreement], *options: str) -> Coefficient:
    return lambda matrix: coefficient(ratings(matrix), *options, replicates=FEW)


COEFFICIENTS: dict[str, Coefficient] = {
    "per cent": of(percent_agreement),
    **{f"alpha {level}": of(krippendorff_alpha, level) for level in LEVELS},
    "fleiss": of(fleiss_kappa),
    "ac1": of(gwet_ac1),
    "ac2": of(gwet_ac2),
    "cohen": of(cohen_kappa),
    **{form: of(intraclass_correlation, form) for form in FORMS},
}
UNDEFINED = {
    "no_ratings": np.full((2, 3), _),
    "one_rater": np.array([[1.0, 2.0, 3.0], [_, _, _]]),
    "one_rating_per_unit": np.array([[1.0, _, 3.0], [_, 2.0, _]]),
}


@pytest.mark.parametrize("status", UNDEFINED)
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_where_nobody_can_be_compared_it_says_why(name: str, status: str) -> None:
    """Disjoint raters agree 1.0 elsewhere (inception#2219); items with one rating break it (nltk#2043)."""
    found = COEFFICIENTS[name](UNDEFINED[status])
    assert (found.value, found.ci, found.status) == (None, None, status)


@pytest.mark.parametrize("name", sorted(set(COEFFICIENTS) - {"per cent"}))
def test_unanimous_raters_are_no_0_1_or_nan(name: str) -> None:
    found = COEFFICIENTS[name](np.full((2, 5), 2.0))
    assert (found.value, found.ci, found.status) == (None, None, "unanimous")


def test_unanimous_raters_agree_on_every_pair() -> None:
    found = percent_agreement(ratings(np.full((3, 5), 2.0)), replicates=FEW)
    assert (found.value, found.status) == (1.0, "ok")


def test_unanimous_raters_who_had_a_choice_have_a_chance_corrected_agreement_of_one() -> None:
    frame = pd.DataFrame({"u": [1, 1, 2, 2], "r": [1, 2, 1, 2], "l": ["yes"] * 4})
    counted = count_ratings(frame.u, frame.r, frame.l, numeric=False, scale=["yes", "no"])
    assert gwet_ac1(counted, replicates=FEW).value == 1
    assert krippendorff_alpha(counted, "nominal", replicates=FEW).status == "unanimous"


def test_missing_ratings_are_left_out_and_not_filled_in() -> None:
    whole, gaps = random_matrix(3, 40), random_matrix(3, 40)
    gaps[0, :10] = np.nan
    found = COEFFICIENTS["alpha ordinal"](np.hstack([gaps, np.full((3, 5), _)]))
    assert found.n_pairable == 110 and found.value == COEFFICIENTS["alpha ordinal"](gaps).value
    assert found.value != COEFFICIENTS["alpha ordinal"](whole).value


def test_an_ordinal_distance_is_of_ranks_and_not_of_numbers() -> None:
    """fast-krippendorff#4: on 1, 2, 100 the ordinal alpha is that of 1, 2, 3."""
    matrix = random_matrix(3, 40, values=3)
    spread = np.where(matrix == 3, 100.0, matrix)
    ordinal, interval = COEFFICIENTS["alpha ordinal"], COEFFICIENTS["alpha interval"]
    assert ordinal(spread).value == pytest.approx(ordinal(matrix).value)
    assert interval(spread).value != pytest.approx(interval(matrix).value)


@pytest.mark.parametrize("matrix", [CANONICAL, SHROUT_FLEISS, random_matrix(3, 30), random_matrix(30, 3)])
def test_the_interval_is_of_the_units_and_holds_the_estimate(matrix: np.ndarray) -> None:
    """jasp#2318: resampled raters in place of units gave intervals without the estimate. Of matrices wide and long."""
    for level in LEVELS:
        found = krippendorff_alpha(ratings(matrix), level, replicates=400)
        assert found.value is not None and found.ci is not None
        assert found.ci[0] <= found.value <= found.ci[1]


def test_time_is_linear_in_the_judgments_of_a_unit_too() -> None:
    """inspect_ai#4035: pairs of judgments. Two units of 100,000 raters each have 10,000,000,000."""
    n = 100_000
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"u": np.repeat([0, 1], n), "r": np.tile(np.arange(n), 2), "l": rng.integers(0, 100, 2 * n)})
    started = time.process_time()
    counted = count_ratings(frame.u, frame.r, frame.l, numeric=True)
    for level in LEVELS:
        assert krippendorff_alpha(counted, level, replicates=FEW).value == pytest.approx(0, abs=0.01)
    assert time.process_time() - started < 10


def test_continuous_ratings_need_no_table_of_values_by_values() -> None:
    """20,000 different values: a table of them would have 400,000,000 cells."""
    matrix = np.random.default_rng(1).normal(size=(2, 10_000))
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(ratings(matrix), level, replicates=FEW).value == pytest.approx(0, abs=0.05)


def test_skewed_labels_leave_gwets_coefficient_near_the_agreement() -> None:
    """inception#6155. 125 items, 118 of them yes by both; kappa and alpha are below zero, where 94 % of pairs agree."""
    counted = ratings(two_raters([[118, 5], [2, 0]]))
    assert percent_agreement(counted, replicates=FEW).value == pytest.approx(0.944)
    assert cohen_kappa(counted, replicates=FEW).value == pytest.approx(-0.0234, abs=0.0001)
    alpha = krippendorff_alpha(counted, "nominal", replicates=FEW).value
    assert alpha is not None and -0.05 < alpha < 0
    assert gwet_ac1(counted, replicates=FEW).value == pytest.approx(0.9408, abs=0.0001)
    found = prevalence(counted)
    assert found is not None and found.skewed and found.share == pytest.approx(243 / 250)


def test_even_labels_are_not_skewed() -> None:
    found = prevalence(ratings(two_raters([[50, 5], [5, 40]])))
    assert found is not None and not found.skewed


def test_nothing_to_pair_has_no_prevalence() -> None:
    assert prevalence(ratings(UNDEFINED["one_rating_per_unit"])) is None


def test_fleiss_kappa_says_where_units_have_unequal_numbers_of_ratings() -> None:
    assert COEFFICIENTS["fleiss"](CANONICAL).status == "uneven_ratings"


def test_cohen_kappa_says_where_raters_are_not_two() -> None:
    assert COEFFICIENTS["cohen"](CANONICAL).status == "not_two_raters"


def test_a_rater_whom_nobody_else_met_does_not_make_three_of_two() -> None:
    lonely = np.vstack([random_matrix(2, 8), np.full((1, 8), _)])
    lonely = np.hstack([lonely, [[_], [_], [1.0]]])
    assert COEFFICIENTS["cohen"](lonely).value == pytest.approx(COEFFICIENTS["cohen"](lonely[:2, :8]).value)


def test_the_ratio_level_says_that_it_takes_no_negative_values() -> None:
    assert COEFFICIENTS["alpha ratio"](random_matrix(3, 9) - 3).status == "negative_values"


def test_the_ratio_level_takes_zero() -> None:
    found = COEFFICIENTS["alpha ratio"](random_matrix(3, 9) - 1)
    assert found.status == "ok" and found.value is not None and np.isfinite(found.value)


@pytest.mark.parametrize("form", ["icc_2_1", "icc_3_1", "icc_2_k", "icc_3_k"])
def test_two_way_correlation_says_where_no_unit_was_rated_by_all(form: str) -> None:
    gaps = random_matrix(3, 9)
    gaps[0, ::2], gaps[1, 1::2] = np.nan, np.nan
    assert COEFFICIENTS[form](gaps).status == "not_crossed"


@pytest.mark.parametrize("form", ["icc_2_1", "icc_3_k"])
def test_two_way_correlation_is_over_the_units_that_all_rated(form: str) -> None:
    matrix = random_matrix(3, 9)
    gaps = np.hstack([matrix, [[1.0], [2.0], [_]]])
    assert COEFFICIENTS[form](gaps).value == pytest.approx(COEFFICIENTS[form](matrix).value)


@pytest.mark.parametrize("form", FORMS)
def test_correlation_of_one_unit_says_so(form: str) -> None:
    assert COEFFICIENTS[form](np.array([[1.0], [2.0]])).status == "too_few_units"


def test_units_with_one_mean_have_no_correlation_of_means() -> None:
    same = np.array([[1.0, 2.0, 1.0], [2.0, 1.0, 2.0]])
    assert COEFFICIENTS["icc_1_k"](same).status == "constant_units"
    assert COEFFICIENTS["icc_1_1"](same).value == pytest.approx(-1.0)
    apart = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    assert COEFFICIENTS["icc_3_1"](apart).status == "constant_units"


def test_correlation_refuses_words_and_unknown_raters() -> None:
    frame = pd.DataFrame({"u": [1, 1, 2, 2], "r": [1, 2, 1, 2], "l": ["a", "b", "a", "a"]})
    with pytest.raises(ValueError, match="'a' is not a number"):
        intraclass_correlation(count_ratings(frame.u, frame.r, frame.l, numeric=False), "icc_1_1")


def test_an_unknown_level_form_or_weighting_is_a_key_error() -> None:
    unknown = [of(krippendorff_alpha, "cardinal"), of(intraclass_correlation, "icc_4_1"), of(gwet_ac2, "steep")]
    for coefficient in unknown:
        with pytest.raises(KeyError):
            coefficient(CANONICAL)
