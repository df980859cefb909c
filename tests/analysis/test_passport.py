import numpy as np
import pytest

from analysis.columns import column_means
from analysis.consistency.stability import stability
from analysis.passport.ranking import (
    HIGHER,
    LOWER,
    NEARER_ZERO,
    agreements,
    goodness,
    mean_rank_intervals,
    mean_ranks,
    metric_ranks,
    rank_intervals,
    resampled_ranks,
)
from analysis.passport.sharing import shared_items

NAN = float("nan")


def test_methods_are_compared_on_the_texts_that_all_explain() -> None:
    shared = shared_items([range(100), range(30), range(10, 60)], enough=20)
    assert shared.items == frozenset(range(10, 30)) and shared.members == {0, 1, 2}


def test_a_method_with_few_texts_does_not_take_the_others_away() -> None:
    shared = shared_items([range(100), range(30), range(3)], enough=20)
    assert shared.items == frozenset(range(30)) and shared.members == {0, 1}


def test_of_few_texts_all_are_needed() -> None:
    assert shared_items([{1, 2, 3}, {1, 2}, {1, 2, 3, 4}], enough=20).members == {2}
    assert shared_items([{1, 2, 3}, {4, 5, 6}], enough=20).members == {0}
    assert shared_items([], enough=20).members == shared_items([set()], enough=20).members == frozenset()


def test_a_mean_leaves_out_what_is_undefined() -> None:
    means, intervals = column_means(np.array([[0.2, NAN], [0.4, NAN], [NAN, NAN]]))
    assert means[0] == pytest.approx(0.3) and np.isnan(means[1])
    assert intervals[0, 0] == pytest.approx(0.2) and intervals[1, 0] == pytest.approx(0.4)
    assert np.isnan(intervals[:, 1]).all()


def test_better_is_higher_lower_or_nearer_to_zero() -> None:
    means = np.array([0.3, -0.5, 0.1])
    found = metric_ranks(np.stack([goodness(means, better) for better in (HIGHER, LOWER, NEARER_ZERO)]))
    assert found.tolist() == [[1, 3, 2], [3, 1, 2], [2, 3, 1]]


def test_equal_means_share_the_better_rank() -> None:
    assert metric_ranks(np.array([[0.5, 0.5, 0.7]])).tolist() == [[2, 2, 1]]


def test_a_method_alone_has_no_rank() -> None:
    found = metric_ranks(np.array([[0.5, NAN], [0.5, 0.1]]))
    assert np.isnan(found[0]).all() and found[1].tolist() == [1, 2]


def test_mean_ranks_are_over_the_metrics_that_methods_share() -> None:
    means, n = mean_ranks(np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 1.0, NAN]]))
    assert means[:2].tolist() == [2.0, 4 / 3] and np.isnan(means[2]) and n == 3


def test_ranks_are_resampled_with_ties_as_they_are() -> None:
    found = np.array([[1.0, 2.0, NAN]])
    drawn = np.array([[[0.5, 0.4, 9.0]], [[0.3, 0.3, 9.0]], [[0.1, 0.2, 9.0]], [[NAN, 0.2, 9.0]]])
    ranked = resampled_ranks(drawn, found)
    assert ranked[:3, 0, :2].tolist() == [[1, 2], [1, 1], [2, 1]]
    # What is undefined in a resample neither has a rank nor takes one; a method without a rank takes no part.
    assert np.isnan(ranked[3, 0, 0]) and ranked[3, 0, 1] == 1 and np.isnan(ranked[:, 0, 2]).all()
    ends = rank_intervals(ranked)
    assert ends[:, 0, 0].tolist() == [1, 2] and ends[:, 0, 1].tolist() == [1, 2] and np.isnan(ends[:, 0, 2]).all()


def test_the_mean_rank_s_interval_is_over_the_same_metrics() -> None:
    found = np.array([[1.0, 2.0], [2.0, 1.0]])
    resampled = np.array([[[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [1.0, 2.0]]])
    ends = mean_rank_intervals(resampled, found)
    assert ends[:, 0] == pytest.approx([1.0125, 1.4875]) and ends[:, 1] == pytest.approx([1.5125, 1.9875])
    assert np.isnan(mean_rank_intervals(np.full((2, 1, 2), NAN), np.full((1, 2), NAN))).all()


def test_without_ranks_there_is_no_mean_rank() -> None:
    means, n = mean_ranks(np.full((2, 3), NAN))
    assert np.isnan(means).all() and n == 0


def test_metrics_that_rank_the_other_way_round_disagree() -> None:
    found = agreements(np.array([[3.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 0.0, 1.0]]))
    assert [one.value for one in found[0]] == pytest.approx([1, -1, 2 / 3])
    assert found[0][1].n == 4 and found[0][1].status == "ok"


def test_undefined_agreement_says_why() -> None:
    found = agreements(np.array([[3.0, 2.0, NAN], [1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]))
    assert (found[0][1].value, found[0][1].n, found[0][1].status) == (None, 2, "too_few_methods")
    assert (found[1][2].value, found[1][2].status) == (None, "tied_methods")


def test_stability_is_the_mean_tau_of_seeds() -> None:
    one = np.array([1.0, 2.0, 3.0, 4.0])
    swapped = np.array([1.0, 2.0, 4.0, 3.0])  # one of six pairs the other way round: tau 4/6
    found = stability([(one, one), (one, swapped), (one, swapped)], [0, 1, 1])
    assert found.value == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)
    assert found.n == 3 and found.ci == pytest.approx((2 / 3, 1.0))


def test_words_that_one_map_lacks_are_not_compared() -> None:
    found = stability([(np.array([1.0, 2.0, 3.0, NAN]), np.array([1.0, 2.0, 3.0, 0.0]))], [0])
    assert (found.value, found.ci, found.n) == (1.0, None, 1)


def test_one_seed_has_no_stability() -> None:
    assert stability([], []).status == "one_seed"


def test_constant_maps_are_counted_not_compared() -> None:
    found = stability([(np.ones(4), np.arange(4.0)), (np.arange(4.0), np.arange(5.0))], [0, 1])
    assert (found.value, found.undefined, found.status) == (None, 2, "no_comparable_pair")
