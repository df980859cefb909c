from dataclasses import replace

import pytest

from tests.workers.worded import SCORES, Worded, make_worded, value, values
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value


def test_it_works(classifier: TextClassifier, worded: Worded) -> None:
    # The logit is 1.5 with all words, and -0.5 without great.
    assert value(classifier, "decision_flip") == 0.25
    assert len(worded.asked) == 2


def test_it_goes_on_until_the_decision_falls(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    make_worded(classifier, monkeypatch, (1.0, 2.0, -1.0, 0.5))
    # Without really 2.0, without a too 1.0, without great too -1.0.
    assert value(classifier, "decision_flip", [0.7, 0.5, 0.1, 0.9]) == 0.75


def test_explanations_end_each_at_its_own_word(classifier: TextClassifier, worded: Worded) -> None:
    first, second = values(classifier, "decision_flip", [SCORES, [0.9, 0.8, 0.1, 0.2]])
    assert (first.value, second.value) == (0.25, 0.5)


def test_some_decisions_never_flip(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    make_worded(classifier, monkeypatch, (1.0, 1.0, 1.0, 1.0))
    assert values(classifier, "decision_flip", [SCORES]) == [Value(None, "no removal changes the prediction")]


def test_a_class_that_is_not_predicted_cannot_flip(classifier: TextClassifier, worded: Worded) -> None:
    found = values(classifier, "decision_flip", [SCORES], label=1)
    assert found == [Value(None, "the class is not the predicted one")]


def test_with_several_labels_one_half_decides(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    several = replace(classifier, problem_type="multi_label_classification")
    make_worded(several, monkeypatch, (0.0, 0.5, -1.0, 0.7))
    # Without great: -0.3, less than one half, though the other label has one half too.
    assert value(several, "decision_flip") == 0.25


def test_a_number_decides_nothing(classifier: TextClassifier, worded: Worded) -> None:
    regression = replace(classifier, problem_type="regression")
    first, second = values(regression, "decision_flip", [SCORES, [1.0, 1.0, 1.0, 1.0]])
    assert first == Value(None, "the output is a number, not a decision")
    assert second == Value(None, "all words score the same")
