"""Deletion and insertion, the two areas."""

import pytest

from tests.workers.worded import Worded, p, value
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import area, stations


def trapezoids(logits: list[float]) -> float:
    heights = [p(logit) for logit in logits]
    return sum((left + right) / 2 for left, right in zip(heights, heights[1:], strict=False)) / (len(heights) - 1)


def test_deletion_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "deletion_auc") == pytest.approx(trapezoids([1.5, -0.5, -1.0, -1.0, 0.0]), abs=1e-6)


def test_insertion_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "insertion_auc") == pytest.approx(trapezoids([0.0, 2.0, 2.5, 2.5, 1.5]), abs=1e-6)


def test_fewer_steps_take_several_words_each(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "deletion_auc", steps=2) == pytest.approx(trapezoids([1.5, -1.0, 0.0]), abs=1e-6)
    assert value(classifier, "insertion_auc", steps=1) == pytest.approx(trapezoids([0.0, 1.5]), abs=1e-6)


@pytest.mark.parametrize(
    ("words", "steps", "expected"),
    [(4, 20, [0, 1, 2, 3, 4]), (4, 0, [0, 1, 2, 3, 4]), (7, 2, [0, 4, 7]), (10, 4, [0, 3, 5, 8, 10])],
)
def test_stations_are_even_and_end_at_all_words(words: int, steps: int, expected: list[int]) -> None:
    assert stations(words, steps) == expected


def test_uneven_stations_count_by_their_width() -> None:
    assert area([1.0, 1.0, 0.0], [0, 3, 4]) == pytest.approx(0.75 + 0.125)
