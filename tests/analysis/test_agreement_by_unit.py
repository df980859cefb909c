"""Which units split the raters."""

import numpy as np
import pytest

from analysis.agreement.coefficients import krippendorff_alpha
from analysis.agreement.levels import LEVELS
from analysis.agreement.splitting import disagreement_by_unit
from tests.analysis.rated import CANONICAL, random_matrix, ratings


def test_it_works() -> None:
    table = disagreement_by_unit(ratings(CANONICAL), "nominal").set_index("unit")
    assert len(table) == 11, "the unit with one rating has no disagreement"
    assert list(table.loc[5])[:2] == [4, 1.0], "1, 2, 3 and 4: every pair is unlike"
    assert table.loc[7, "disagreement"] == pytest.approx(1 / 2), "1, 1, 2, 1: three of six pairs"
    assert table.loc[0, "disagreement"] == 0


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_one_minus_the_mean_relative_disagreement(level: str) -> None:
    counted = ratings(random_matrix(5, 30, missing=0.4, seed=7))
    table = disagreement_by_unit(counted, level)
    mean = np.average(table["relative"], weights=table["n"])
    assert krippendorff_alpha(counted, level, replicates=5).value == pytest.approx(1 - mean)


def test_far_ratings_split_more_than_near_ones_but_not_at_the_nominal_level() -> None:
    counted = ratings(np.array([[1.0, 1.0, 3.0], [2.0, 5.0, 4.0]]))
    assert disagreement_by_unit(counted, "nominal")["disagreement"].tolist() == [1, 1, 1]
    near, far, middle = disagreement_by_unit(counted, "interval")["relative"]
    assert far > near == pytest.approx(middle)


def test_unanimous_units_have_no_relative_disagreement() -> None:
    table = disagreement_by_unit(ratings(np.full((3, 4), 2.0)), "ordinal")
    assert (table["disagreement"] == 0).all() and table["relative"].isna().all()


def test_nothing_to_pair_is_an_empty_table() -> None:
    assert disagreement_by_unit(ratings(np.array([[1.0, np.nan], [np.nan, 2.0]])), "nominal").empty
