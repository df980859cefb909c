import math

import pytest

from tests.workers.worded import SCORES, WORTH, Worded, make_worded, value, values
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value


def test_it_works(classifier: TextClassifier, worded: Worded) -> None:
    # Words fall as film < a < really < great; of six pairs, those of a with great and with really are discordant.
    assert value(classifier, "tau_loo", [0.9, 0.5, 0.1, 0.2]) == pytest.approx((4 - 2) / 6)
    assert value(classifier, "tau_loo", WORTH) == pytest.approx(1)


def test_ties_are_counted_as_in_tau_b(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "tau_loo", [0.5, 0.9, 0.1, 0.5]) == pytest.approx(5 / math.sqrt(5 * 6))


def test_sizes_are_compared_on_request(classifier: TextClassifier, worded: Worded) -> None:
    sizes = [abs(worth) for worth in WORTH]
    # By its size film is before a and really.
    assert value(classifier, "tau_loo", sizes) == pytest.approx((4 - 2) / 6)
    assert value(classifier, "tau_loo", sizes, absolute=True) == pytest.approx(1)
    found = values(classifier, "tau_loo", [[0.5, -0.5, 0.5, -0.5]], absolute=True)
    assert found == [Value(None, "all words score the same")]


def test_leave_one_out_serves_all_explanations(classifier: TextClassifier, worded: Worded) -> None:
    values(classifier, "tau_loo", [SCORES, WORTH, [0.5, 0.9, 0.1, 0.5]])
    assert len(worded.asked) == 5


def test_where_no_word_matters_there_is_no_order(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    make_worded(classifier, monkeypatch, (0.0, 0.0, 0.0, 0.0))
    assert values(classifier, "tau_loo", [SCORES]) == [Value(None, "no removal changes the output")]
