import numpy as np
import pytest
from scipy import stats

from analysis.ranking.signed_ranks import rank_biserial, wilcoxon

# Hollander and Wolfe 1973, Nonparametric Statistical Methods, page 29: depression before and after a tranquiliser.
BEFORE = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
AFTER = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])


def test_it_works() -> None:
    """Their V = 40, and .01953 from one side."""
    found = wilcoxon(BEFORE - AFTER)
    assert (found.positive, found.negative, found.n) == (40.0, 5.0, 9)
    assert found.p == pytest.approx(2 * 0.01953, abs=1e-5)


def test_it_equals_scipy_where_nothing_is_tied() -> None:
    differences = np.random.default_rng(0).normal(0.3, 1.0, size=40)
    assert wilcoxon(differences).p == pytest.approx(stats.wilcoxon(differences, mode="exact").pvalue)


def test_of_many_differences_it_is_scipys_with_ties() -> None:
    differences = np.random.default_rng(1).integers(-3, 4, size=900).astype(float)
    expected = stats.wilcoxon(differences, mode="approx", correction=False)
    assert wilcoxon(differences).p == pytest.approx(expected.pvalue)


def test_tied_differences_are_counted_exactly() -> None:
    # Ranks 2, 2, 2, 4: of sixteen patterns of signs two are as far out as all of one sign.
    assert wilcoxon(np.array([1.0, 1.0, 1.0, 2.0])).p == pytest.approx(2 / 16)


def test_texts_without_a_difference_or_a_judgment_are_left_out() -> None:
    found = wilcoxon(np.array([0.0, np.nan, 2.0, -1.0]))
    assert (found.positive, found.negative, found.n) == (2.0, 1.0, 2)
    assert wilcoxon(np.zeros(5)) == (0.0, 0.0, 0, 1.0)


def test_the_rank_biserial_is_the_difference_of_the_sums() -> None:
    assert rank_biserial(BEFORE - AFTER) == pytest.approx([(40 - 5) / 45])


def test_drawn_texts_are_ranked_as_copies() -> None:
    rng = np.random.default_rng(2)
    differences = rng.integers(-3, 4, size=12).astype(float)
    drawn = rng.integers(0, 3, size=(4, 12)).astype(float)
    expected = [rank_biserial(np.repeat(differences, row.astype(int)))[0] for row in drawn]
    assert rank_biserial(differences, drawn) == pytest.approx(expected)


def test_where_nothing_differs_there_is_no_rank_biserial() -> None:
    assert np.isnan(rank_biserial(np.zeros(4))).all()
