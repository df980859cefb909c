import math

import pytest

from analysis.scoring.overlap import mean_overlap


def test_it_works() -> None:
    assert mean_overlap([{1, 2, 3}, {2, 3}]) == pytest.approx(4 / 5)


def test_it_is_the_mean_over_pairs() -> None:
    assert mean_overlap([{1}, {1}, {2}]) == pytest.approx((1 + 0 + 0) / 3)


def test_who_marks_nothing_overlaps_with_nobody_who_marks() -> None:
    assert mean_overlap([[], [1, 2]]) == 0.0


@pytest.mark.parametrize("marks", [[], [{1}], [[], []]])
def test_without_two_who_mark_there_is_no_overlap(marks: list[set[int]]) -> None:
    assert math.isnan(mean_overlap(marks))


def test_it_does_not_depend_on_who_comes_first() -> None:
    assert mean_overlap([{0, 1}, {1, 2, 3}]) == mean_overlap([{1, 2, 3}, {0, 1}])
