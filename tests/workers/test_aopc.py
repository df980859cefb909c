import pytest

from tests.workers.worded import Worded, p, value
from workers.classifiers.classifier import TextClassifier


def test_it_works(classifier: TextClassifier, worded: Worded) -> None:
    # great, really, a and film go, in this order.
    falls = [p(1.5) - p(logit) for logit in (-0.5, -1.0, -1.0, 0.0)]
    assert value(classifier, "aopc") == pytest.approx(sum(falls) / 5, abs=1e-6)


def test_only_so_many_words_are_removed(classifier: TextClassifier, worded: Worded) -> None:
    falls = [p(1.5) - p(logit) for logit in (-0.5, -1.0)]
    assert value(classifier, "aopc", words=2) == pytest.approx(sum(falls) / 3, abs=1e-6)
    assert len(worded.asked) == 3
