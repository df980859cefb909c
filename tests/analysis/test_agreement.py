import numpy as np
import pandas as pd
import pytest

from analysis.agreement.coefficients import krippendorff_alpha, percent_agreement
from analysis.agreement.counting import count_ratings
from analysis.agreement.levels import LEVELS, metric_level
from analysis.arrays import FloatArray
from tests.analysis.rated import CANONICAL, random_matrix, ratings

FEW = 50


@pytest.mark.parametrize("level", LEVELS)
def test_it_works(level: str) -> None:
    found = krippendorff_alpha(ratings(CANONICAL), level)
    assert found.value is not None and found.ci is not None
    assert found.ci[0] < found.value < found.ci[1]
    assert (found.n_units, found.n_raters, found.n_pairable, found.status, found.over) == (12, 4, 40, "ok", "units")


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


def test_the_scale_may_have_more_values_than_were_given() -> None:
    labels = pd.Series(["yes", "yes"])
    found = count_ratings(pd.Series([1, 1]), pd.Series([1, 2]), labels, numeric=False, scale=["yes", "no", "maybe"])
    assert found.values.tolist() == ["maybe", "no", "yes"]


def test_a_label_off_the_scale_is_named() -> None:
    with pytest.raises(ValueError, match="'perhaps' is not on the scale no, yes"):
        count_ratings(pd.Series([1]), pd.Series([1]), pd.Series(["perhaps"]), numeric=False, scale=["yes", "no"])


def test_a_rater_who_rated_a_unit_twice_is_named() -> None:
    with pytest.raises(ValueError, match="Rater ann rated unit t7 more than once"):
        count_ratings(pd.Series(["t7", "t7"]), pd.Series(["ann", "ann"]), pd.Series([1, 2]), numeric=True)


def test_a_rating_without_a_unit_or_rater_is_refused() -> None:
    with pytest.raises(ValueError, match="no unit or no rater"):
        count_ratings(pd.Series(["t1", None]), pd.Series(["ann", "bea"]), pd.Series([1, 2]), numeric=True)
    with pytest.raises(ValueError, match="no unit or no rater"):
        count_ratings(pd.Series(["t1", "t1"]), pd.Series(["ann", None]), pd.Series([1, 2]), numeric=True)


def test_a_distance_of_ones_own_is_a_level() -> None:
    squared = metric_level("squared", lambda a, b: np.asarray((a - b) ** 2))
    counted = ratings(random_matrix(5, 30, missing=0.2))
    mine, known = (krippendorff_alpha(counted, level, replicates=FEW) for level in (squared, "interval"))
    assert mine.value == pytest.approx(known.value) and mine.ci == pytest.approx(known.ci)
    assert mine.level == "squared"


def test_a_distance_of_ones_own_may_go_round() -> None:
    """Hours of the day: one and twelve are neighbours. By hand: three units, distances 1, 0 and 36."""

    def on_a_clock(a: FloatArray, b: FloatArray) -> FloatArray:
        gap = np.abs(a - b)
        return np.asarray(np.minimum(gap, 12 - gap) ** 2)

    matrix = np.array([[1.0, 3, 2], [12, 3, 8]])
    values = matrix.ravel()
    expected = on_a_clock(values[:, None], values[None, :]).sum() / (6 * 5)
    found = krippendorff_alpha(ratings(matrix), metric_level("clock", on_a_clock), replicates=FEW)
    assert found.value == pytest.approx(1 - (1 + 0 + 36) / 3 / expected)


def test_per_cent_agreement_is_the_mean_share_of_equal_pairs() -> None:
    matrix = np.array([[1, 1, 1], [1, 1, 2], [1, 2, np.nan]])
    found = percent_agreement(ratings(matrix), replicates=FEW)
    assert found.value == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_a_million_judgments_take_moments() -> None:
    rng = np.random.default_rng(0)
    units, raters = np.repeat(np.arange(200_000), 5), np.tile(np.arange(5), 200_000)
    labels = pd.Series(rng.integers(1, 6, size=1_000_000))
    counted = count_ratings(pd.Series(units), pd.Series(raters), labels, numeric=True)
    found = krippendorff_alpha(counted, "ordinal", replicates=1000)
    assert counted.profiles.shape == (126, 5)
    assert found.n_pairable == 1_000_000 and found.value is not None and abs(found.value) < 0.01
    assert found.ci is not None and found.ci[0] < found.value < found.ci[1]
