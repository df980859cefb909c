"""The metrics by hand, on a model whose probabilities can be worked out on paper."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from catalogue.metrics import METRICS as CATALOGUE
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness import METRICS
from workers.faithfulness.erasing import Value, rank

TEXT = "a great film really"
WORTH = [0.0, 2.0, -1.0, 0.5]


class Counted:
    """Logit of class 0 = sum of the words' worth; remembers what it was asked."""

    def __init__(self, classifier: TextClassifier) -> None:
        text = classifier.encode("1", TEXT)
        self.worth = {text.input_ids[text.pieces_of[word][0]]: value for word, value in enumerate(WORTH)}
        self.asked: list[tuple[int, ...]] = []

    def __call__(self, _: Any, variants: list[tuple[int, ...]], budget: int) -> Tensor:
        self.asked += variants
        return torch.tensor([[sum(self.worth.get(token, 0.0) for token in ids), 0.0] for ids in variants])


@pytest.fixture
def counted(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> Counted:
    model = Counted(classifier)
    monkeypatch.setattr(TextClassifier, "logits_of", lambda *args: model(*args))
    return model


def p(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def values(classifier: TextClassifier, metric: str, rows: list[list[float | None]], content: str = TEXT) -> list[Value]:
    batch = classifier.batch([classifier.encode("1", content)] * len(rows))
    return METRICS[metric](classifier, batch, rows, torch.zeros(len(rows), dtype=torch.long))


def test_catalogue_and_functions_are_equal() -> None:
    assert list(METRICS) == list(CATALOGUE)
    for name, metric in METRICS.items():
        assert metric.__code__.co_varnames[4 : metric.__code__.co_argcount] == ("shares",)
        assert metric.__defaults__ == tuple(parameter.default for parameter in CATALOGUE[name].parameters)


def test_comprehensiveness_by_hand(classifier: TextClassifier, counted: Counted) -> None:
    # 1, 5, 10 and 20 % of 4 words are one word (great), 50 % are two (great, really).
    expected = (4 * (p(1.5) - p(-0.5)) + (p(1.5) - p(-1.0))) / 5
    (value,) = values(classifier, "comprehensiveness", [[0.1, 0.9, 0.0, 0.5]])
    assert value.value == pytest.approx(expected, abs=1e-6) and value.status == ""


def test_sufficiency_by_hand(classifier: TextClassifier, counted: Counted) -> None:
    expected = (4 * (p(1.5) - p(2.0)) + (p(1.5) - p(2.5))) / 5
    (value,) = values(classifier, "sufficiency", [[0.1, 0.9, 0.0, 0.5]])
    assert value.value == pytest.approx(expected, abs=1e-6)


def test_ties_go_to_the_word_that_stands_first(classifier: TextClassifier) -> None:
    assert rank(classifier.encode("1", TEXT), [0.5, 1.0, -2.0, 0.5]) == [1, 0, 3, 2]


def test_explanations_of_one_text_share_their_inputs(classifier: TextClassifier, counted: Counted) -> None:
    rows: list[list[float | None]] = [[0.1, 0.9, 0.0, 0.5], [0.2, 0.8, 0.1, 0.5], [0.9, 0.1, 0.0, 0.5]]
    first, second, third = values(classifier, "comprehensiveness", rows)
    assert first == second != third
    assert len(counted.asked) == len(set(counted.asked)) == 5


def test_the_two_metrics_ask_for_the_text_itself_once(classifier: TextClassifier, counted: Counted) -> None:
    text = classifier.encode("1", TEXT)
    batch, target = classifier.batch([text]), torch.tensor([0])
    for metric in METRICS.values():
        metric(classifier, batch, [[0.1, 0.9, 0.0, 0.5]], target)
    assert counted.asked.count(text.input_ids) == 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("content", "scores", "reason"),
    [
        ("film", [1.0], "fewer than two words"),
        (TEXT, [0.5, 0.1], "not one score a word"),
        (TEXT, [0.5, 0.5, 0.5, 0.5], "all words score the same"),
        (TEXT, [0.5, None, 0.1, 0.2], "a word without a score"),
        (TEXT, [0.5, math.nan, 0.1, 0.2], "a word without a score"),
    ],
)
def test_what_cannot_be_ranked_has_no_value(
    classifier: TextClassifier, metric: str, content: str, scores: list[float | None], reason: str
) -> None:
    assert values(classifier, metric, [scores], content) == [Value(None, reason)]


def test_an_undefined_row_leaves_its_neighbours_alone(classifier: TextClassifier) -> None:
    rows: list[list[float | None]] = [[1.0, 1.0, 1.0, 1.0], [0.1, 0.9, 0.0, 0.5]]
    first, second = values(classifier, "comprehensiveness", rows)
    (alone,) = values(classifier, "comprehensiveness", rows[1:])
    assert first.value is None and second.value == pytest.approx(alone.value)


def test_regression_uses_the_output_itself(classifier: TextClassifier, counted: Counted) -> None:
    regression = replace(classifier, problem_type="regression")
    (value,) = values(regression, "comprehensiveness", [[0.1, 0.9, 0.0, 0.5]])
    assert value.value == pytest.approx((4 * 2.0 + 2.5) / 5)
