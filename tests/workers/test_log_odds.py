import math
from dataclasses import replace

import pytest
import torch

from tests.workers.worded import SCORES, Worded, p, value, values
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value


def test_it_works(classifier: TextClassifier, worded: Worded) -> None:
    expected = (4 * math.log(p(-0.5)) + math.log(p(-1.0))) / 5 - math.log(p(1.5))
    assert value(classifier, "log_odds") == pytest.approx(expected, abs=1e-6)


def test_the_odds_of_two_classes_are_the_logit(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "log_odds", of="odds") == pytest.approx((4 * -0.5 - 1.0) / 5 - 1.5, abs=1e-6)


def test_a_share_of_its_own(classifier: TextClassifier, worded: Worded) -> None:
    expected = math.log(p(0.0)) - math.log(p(1.5))
    assert value(classifier, "log_odds", shares=(1.0,)) == pytest.approx(expected, abs=1e-6)


def test_it_asks_for_nothing_that_comprehensiveness_has_not(classifier: TextClassifier, worded: Worded) -> None:
    value(classifier, "comprehensiveness")
    asked = len(worded.asked)
    value(classifier, "log_odds")
    assert len(worded.asked) == asked


def test_a_number_is_no_probability(classifier: TextClassifier, worded: Worded) -> None:
    regression = replace(classifier, problem_type="regression")
    assert values(regression, "log_odds", [SCORES]) == [Value(None, "the output is no probability")]


def test_a_probability_of_one_has_no_odds(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        TextClassifier, "_logits_of", lambda self, variants: torch.tensor([[500.0, -500.0]] * len(variants))
    )
    found = values(classifier, "log_odds", [SCORES], of="odds")
    assert found == [Value(None, "the probability is 0 or 1 to the last digit")]
    assert value(classifier, "log_odds") == 0
