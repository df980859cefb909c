import itertools
from typing import Any, cast

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.agreement.coefficients import krippendorff_alpha, percent_agreement
from analysis.agreement.counting import Ratings, count_ratings
from analysis.agreement.levels import LEVELS

# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C: 4 observers, 12 units, 41 values.
_ = np.nan
CANONICAL = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
)
FEW = 50


def ratings(matrix: np.ndarray, *, numeric: bool = True) -> Ratings:
    """One rating per known cell of a matrix (raters, units)."""
    rows = [(unit, rater, matrix[rater, unit]) for rater, unit in np.ndindex(matrix.shape)]
    frame = pd.DataFrame(rows, columns=["unit", "rater", "label"])
    return count_ratings(frame["unit"], frame["rater"], frame["label"], numeric=numeric)


def alpha(matrix: np.ndarray, level: str = "nominal") -> float | None:
    return krippendorff_alpha(ratings(matrix), level, replicates=FEW).value


def reference(matrix: np.ndarray, level: str) -> float:
    return float(krippendorff.alpha(reliability_data=matrix, level_of_measurement=cast(Any, level)))


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_it_works(level: str, value: float) -> None:
    found = krippendorff_alpha(ratings(CANONICAL), level, replicates=FEW)
    assert found.value == pytest.approx(value, abs=0.0005)
    assert (found.n_units, found.n_raters, found.n_pairable, found.status) == (12, 4, 40, "ok")


def test_the_interval_holds_the_estimate() -> None:
    found = krippendorff_alpha(ratings(CANONICAL), "nominal")
    assert found.value is not None and found.ci is not None
    assert found.ci[0] < found.value < found.ci[1]


@pytest.mark.parametrize("level", LEVELS)
def test_it_equals_the_reference_package(level: str) -> None:
    rng = np.random.default_rng(5)
    matrix = rng.integers(1, 6, size=(6, 40)).astype(float)
    matrix[rng.random(matrix.shape) < 0.4] = np.nan
    assert alpha(matrix, level) == pytest.approx(reference(matrix, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_the_bootstrap_resamples_whole_units(level: str) -> None:
    # The interval from value counts equals the interval from matrices whose columns were drawn by hand.
    rng = np.random.default_rng(11)
    matrix = rng.integers(1, 5, size=(4, 25)).astype(float)
    drawn = np.random.default_rng(0).integers(0, 25, size=(400, 25))
    values = [reference(matrix[:, row], level) for row in drawn]
    found = krippendorff_alpha(ratings(matrix), level, replicates=400, seed=0)
    assert found.ci == pytest.approx(np.quantile(values, [0.025, 0.975]))


small = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, np.nan]), min_size=6, max_size=6), min_size=2, max_size=4
).map(np.array)


@given(small, st.randoms())
def test_the_order_of_raters_and_units_changes_nothing(matrix: np.ndarray, random: object) -> None:
    turned = matrix[::-1, ::-1]
    for level in LEVELS:
        assert alpha(turned, level) == pytest.approx(alpha(matrix, level))


@given(small)
def test_renamed_labels_change_nothing_at_the_nominal_level(matrix: np.ndarray) -> None:
    assert alpha(5 - matrix) == pytest.approx(alpha(matrix))


@given(small)
def test_a_monotone_scale_changes_nothing_at_the_ordinal_level(matrix: np.ndarray) -> None:
    assert alpha(matrix**3, "ordinal") == pytest.approx(alpha(matrix, "ordinal"))


@given(small, st.floats(0.1, 9), st.floats(-9, 9))
def test_a_linear_scale_changes_nothing_at_the_interval_level(matrix: np.ndarray, a: float, b: float) -> None:
    assert alpha(a * matrix + b, "interval") == pytest.approx(alpha(matrix, "interval"), abs=1e-9)


@given(small)
def test_a_unit_with_one_rating_changes_nothing(matrix: np.ndarray) -> None:
    lonely = np.full((len(matrix), 1), np.nan)
    lonely[0] = 2.0
    assume(np.isfinite(matrix).any(axis=1).all())
    assert alpha(np.hstack([matrix, lonely])) == pytest.approx(alpha(matrix))


@given(small)
def test_alpha_never_exceeds_one(matrix: np.ndarray) -> None:
    found = alpha(matrix)
    assert found is None or found <= 1 + 1e-12


UNDEFINED = {
    "unanimous": np.full((3, 5), 2.0),
    "one_rater": np.array([[1.0, 2.0, 3.0]]),
    "one_rating_per_unit": np.array([[1.0, np.nan, 3.0], [np.nan, 2.0, np.nan]]),
    "no_ratings": np.full((2, 3), np.nan),
}


@pytest.mark.parametrize(("status", "level"), list(itertools.product(UNDEFINED, LEVELS)))
def test_it_says_why_it_is_undefined(status: str, level: str) -> None:
    found = krippendorff_alpha(ratings(UNDEFINED[status]), level, replicates=FEW)
    assert (found.value, found.ci, found.status) == (None, None, status)


def test_one_item_has_a_value_but_no_interval() -> None:
    found = krippendorff_alpha(ratings(np.array([[1.0], [2.0], [1.0]])), "nominal", replicates=FEW)
    assert found.status == "ok" and found.value is not None and found.ci is None


def test_labels_of_the_nominal_level_may_be_words() -> None:
    frame = pd.DataFrame({"u": [1, 1, 2, 2], "r": [1, 2, 1, 2], "l": ["yes", "yes", "no", "cannot_tell"]})
    found = krippendorff_alpha(count_ratings(frame.u, frame.r, frame.l, numeric=False), "nominal", replicates=FEW)
    assert found.value == pytest.approx(1 - 3 * 1 / 5)


def test_the_other_levels_refuse_words() -> None:
    labels = pd.Series(["1", "good"])
    with pytest.raises(ValueError, match="'good' is not a number"):
        count_ratings(pd.Series([1, 1]), pd.Series([1, 2]), labels, numeric=True)


def test_ratings_may_be_numbers_written_as_text() -> None:
    labels = pd.Series(["1", "10", "2", "2"])
    found = count_ratings(pd.Series([1, 1, 2, 2]), pd.Series([1, 2, 1, 2]), labels, numeric=True)
    assert found.values.tolist() == [1.0, 2.0, 10.0]


def test_per_cent_agreement_is_the_mean_share_of_equal_pairs() -> None:
    matrix = np.array([[1, 1, 1], [1, 1, 2], [1, 2, np.nan]])
    found = percent_agreement(ratings(matrix), replicates=FEW)
    assert found.value == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_per_cent_agreement_of_unanimous_raters_is_one() -> None:
    found = percent_agreement(ratings(UNDEFINED["unanimous"]), replicates=FEW)
    assert (found.value, found.status) == (1.0, "ok")


def test_a_hundred_thousand_judgments_take_moments() -> None:
    rng = np.random.default_rng(0)
    units = pd.Series(np.repeat(np.arange(20_000), 5))
    labels = pd.Series(rng.integers(1, 6, size=100_000))
    found = krippendorff_alpha(
        count_ratings(units, pd.Series(np.tile(np.arange(5), 20_000)), labels, numeric=True), "ordinal", replicates=200
    )
    assert found.n_pairable == 100_000
    assert found.value == pytest.approx(0, abs=0.02)
