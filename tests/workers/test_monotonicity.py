import pytest

from tests.workers.worded import WORTH, Worded, value, values
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value


def test_it_works(classifier: TextClassifier, worded: Worded) -> None:
    # really is there, 0.5; a leaves it, great makes it 2.5, film makes it 1.5.
    assert value(classifier, "monotonicity", [0.1, 0.5, 0.9, 0.0]) == pytest.approx(2 / 3)


def test_a_right_map_is_monotone(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "monotonicity", WORTH) == 1


def test_all_words_may_be_added_to_nothing(classifier: TextClassifier, worded: Worded) -> None:
    # film makes 0 fall to -1, and nothing falls after.
    assert value(classifier, "monotonicity", WORTH, added="all") == 0.75


def test_fewer_steps_add_several_words_each(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "monotonicity", WORTH, added="all", steps=1) == 1


def test_without_a_positive_word_nothing_can_be_added(classifier: TextClassifier, worded: Worded) -> None:
    found = values(classifier, "monotonicity", [[-1.0, -2.0, 0.0, -1.0]])
    assert found == [Value(None, "no word scores above zero")]
