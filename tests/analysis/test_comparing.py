import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from analysis.ranking.comparing import (
    benjamini_hochberg,
    friedman,
    holm,
    mcnemar,
    mcnemar_by_text,
    sign_flip_test,
    wald_test,
)
from analysis.ranking.ordering import rank_interval, ranks


def test_mcnemar_equals_statsmodels() -> None:
    rng = np.random.default_rng(0)
    first, second = (rng.random(200) < 0.7).astype(float), (rng.random(200) < 0.5).astype(float)
    found = mcnemar(first, second)
    table = [[0, found.first_only], [found.second_only, 0]]
    assert found.p == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue)


def test_mcnemar_leaves_unjudged_pairs_out() -> None:
    found = mcnemar(np.array([1, 1, np.nan]), np.array([0, np.nan, 0]))
    assert (found.first_only, found.second_only) == (1, 0)


def test_mcnemar_of_equal_series_finds_nothing() -> None:
    assert mcnemar(np.ones(4), np.ones(4)).p == 1.0


def enumerated(differences: list[int]) -> float:
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in itertools.product([1, -1], repeat=len(differences))]  # fmt: skip
    return sum(s >= abs(sum(differences)) for s in sums) / len(sums)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9).filter(any))
def test_the_sign_flip_test_counts_every_pattern(differences: list[int]) -> None:
    assert sign_flip_test(np.array(differences, dtype=float)) == pytest.approx(enumerated(differences))


def test_the_sign_flip_test_samples_where_differences_are_not_whole() -> None:
    whole = np.random.default_rng(2).integers(-3, 5, size=40).astype(float)
    assert sign_flip_test(whole / 61, seed=1) == pytest.approx(sign_flip_test(whole), abs=0.01)


def test_means_of_few_judgments_are_flipped_exactly() -> None:
    whole = np.random.default_rng(2).integers(-9, 15, size=40).astype(float)
    assert sign_flip_test(whole / 5 - whole / 3) == sign_flip_test(2 * whole)
    assert sign_flip_test(whole / 60) == sign_flip_test(whole)


def test_the_sign_flip_test_finds_nothing_where_nothing_differs() -> None:
    assert sign_flip_test(np.array([0.0, np.nan, 0.0])) == 1.0


def test_a_repeated_text_is_one_unit_to_the_sign_flip_test() -> None:
    # Ten pairs that all come from one text are no evidence, though McNemar takes them for ten.
    assert mcnemar(np.ones(10), np.zeros(10)).p < 0.01
    assert sign_flip_test(np.array([10.0])) == 1.0


def test_friedman_equals_scipy() -> None:
    scores = np.random.default_rng(3).integers(0, 6, size=(30, 4)).astype(float)
    found = friedman(scores)
    assert found.chi2 == pytest.approx(friedmanchisquare(*scores.T).statistic)
    assert (found.df, found.n, found.status) == (3, 30, "ok")


def test_friedman_leaves_incomplete_texts_out() -> None:
    scores = np.random.default_rng(3).random((10, 3))
    scores[0, 0] = np.nan
    assert friedman(scores).n == 9


@pytest.mark.parametrize(
    ("scores", "status"),
    [(np.ones((5, 2)), "too_few_methods"), (np.ones((1, 3)), "too_few_texts"), (np.ones((5, 3)), "all_tied")],
)
def test_friedman_says_why_it_is_undefined(scores: np.ndarray, status: str) -> None:
    found = friedman(scores)
    assert (found.chi2, found.p, found.status) == (None, None, status)


# statsmodels collects garbage at every call of this.
@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
@pytest.mark.long
def test_holm_equals_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="holm")[1]
    assert holm(np.array(p_values)) == pytest.approx(expected)


def test_holm_of_nothing_is_nothing() -> None:
    assert len(holm(np.array([]))) == 0


def test_ranks_start_at_the_highest_score_and_share_the_better_rank() -> None:
    assert ranks(np.array([0.5, 0.9, 0.5, 0.1])).tolist() == [2, 1, 2, 4]


def test_a_method_without_a_score_has_no_rank() -> None:
    found = ranks(np.array([0.5, np.nan, 0.9]))
    assert np.array_equal(found, [2, np.nan, 1], equal_nan=True)


def test_rank_intervals_are_whole_ranks() -> None:
    distribution = np.array([[1.0, 2.0]] * 30 + [[2.0, 1.0]] * 10)
    assert rank_interval(distribution).tolist() == [[1, 1], [2, 2]]


def test_of_one_pair_a_text_mcnemar_by_text_is_mcnemars_own() -> None:
    rng = np.random.default_rng(4)
    first, second = (rng.random(300) < 0.6).astype(float), (rng.random(300) < 0.5).astype(float)
    found = mcnemar(first, second)
    table = [[0, found.first_only], [found.second_only, 0]]
    expected = statsmodels_mcnemar(table, exact=False, correction=False).pvalue
    p = mcnemar_by_text((first > second).astype(float), (second > first).astype(float), np.ones(300))
    assert p == pytest.approx(expected)


def test_copies_of_pairs_add_nothing_to_mcnemar_by_text() -> None:
    first, second = np.array([1.0, 1, 0, 1, 0]), np.array([0.0, 0, 1, 0, 0])
    once = mcnemar_by_text(first, second, np.ones(5))
    assert mcnemar_by_text(4 * first, 4 * second, np.full(5, 4.0)) == pytest.approx(once)
    assert mcnemar_by_text(np.zeros(3), np.zeros(3), np.array([2.0, 0, 1])) == 1.0


def test_the_wald_test_is_students() -> None:
    # A t of 2.086 with 20 degrees of freedom is the 5 per cent point of every table.
    assert wald_test(2.086, 1.0, 20) == pytest.approx(0.05, abs=1e-4)
    assert wald_test(-2.086 * 3, 9.0, 20) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(("variance", "df"), [(0.0, 5), (np.nan, 5), (1.0, 0)])
def test_without_variance_there_is_no_wald_test(variance: float, df: int) -> None:
    assert wald_test(0.1, variance, df) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_benjamini_hochberg_equals_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="fdr_bh")[1]
    assert benjamini_hochberg(np.array(p_values)) == pytest.approx(expected)


def test_benjamini_and_hochbergs_own_example() -> None:
    """Their fifteen p values of 1995: four are found at a rate of .05, by Bonferroni three."""
    p = np.array(
        [
            0.0001,
            0.0004,
            0.0019,
            0.0095,
            0.0201,
            0.0278,
            0.0298,
            0.0344,
            0.0459,
            0.3240,
            0.4262,
            0.5719,
            0.6528,
            0.7590,
            1,
        ]
    )
    assert (benjamini_hochberg(p) <= 0.05).sum() == 4
    assert (holm(p) <= 0.05).sum() == 3
    assert len(benjamini_hochberg(np.array([]))) == 0
