import pytest
import torch

from tests.workers.worded import SCORES, WORTH, Worded, make_worded, value, values
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value

DOUBLED = [2 * worth for worth in WORTH]
NEGATED = [-worth for worth in WORTH]


def test_a_right_map_is_faithful(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "infidelity", WORTH, scaled=False) == pytest.approx(0, abs=1e-10)


def test_the_scale_is_fitted(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "infidelity", DOUBLED) == pytest.approx(0, abs=1e-10)
    assert value(classifier, "infidelity", SCORES) > 0.01


def test_without_a_scale_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    # What is taken is the worth of the words: (2 a - a)^2 against (-a - a)^2.
    once = value(classifier, "infidelity", DOUBLED, scaled=False)
    assert value(classifier, "infidelity", NEGATED, scaled=False) == pytest.approx(4 * once)
    sums = torch.tensor([1.5 - worded([ids])[0, 0] for ids in worded.asked[1:]])
    assert len(sums) <= 15 and once > 0


def test_one_removal_by_hand(classifier: TextClassifier, worded: Worded) -> None:
    found = value(classifier, "infidelity", SCORES, samples=1, scaled=False)
    (removed,) = worded.asked[1:]
    text = classifier.encode("1", "a great film really")
    gone = [word for word in range(4) if text.input_ids[text.pieces_of[word][0]] not in removed]
    expected = sum(SCORES[word] for word in gone) - sum(WORTH[word] for word in gone)
    assert found == pytest.approx(expected**2, abs=1e-6)


def test_removals_serve_all_explanations_of_a_text(classifier: TextClassifier, worded: Worded) -> None:
    values(classifier, "infidelity", [SCORES, WORTH, DOUBLED])
    assert len(worded.asked) == len(set(worded.asked)) <= 16


def test_another_seed_is_another_draw(classifier: TextClassifier, worded: Worded) -> None:
    first, second = (value(classifier, "infidelity", samples=9, seed=seed) for seed in (0, 1))
    assert first != second and first == value(classifier, "infidelity", samples=9)


def test_probabilities_on_request(classifier: TextClassifier, worded: Worded) -> None:
    assert value(classifier, "infidelity", WORTH, output="probability") > 1e-4


def test_where_no_word_matters_nothing_is_said(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    make_worded(classifier, monkeypatch, (0.0, 0.0, 0.0, 0.0))
    assert values(classifier, "infidelity", [SCORES]) == [Value(None, "no removal changes the output")]
