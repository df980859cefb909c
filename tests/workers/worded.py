"""A model whose outputs can be worked out on paper: the logit of class 0 is the sum of its words' worth."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from workers.classifiers.classifier import TextClassifier
from workers.faithfulness import METRICS
from workers.faithfulness.erasing import Value
from workers.faithfulness.repeating import Maker
from workers.saliency import METHODS

TEXT = "a great film really"
WORTH = (0.0, 2.0, -1.0, 0.5)
# By these scores the words rank: great, really, a, film.
SCORES = [0.1, 0.9, 0.0, 0.5]
RANKED = [1, 3, 0, 2]
Scores = Sequence[float | None]


class Worded:
    """Remembers what it was asked; other classes have the logit zero."""

    def __init__(self, classifier: TextClassifier, worth: Sequence[float] = WORTH) -> None:
        text = classifier.encode("1", TEXT)
        self.worth = {text.input_ids[text.pieces_of[word][0]]: value for word, value in enumerate(worth)}
        self.labels = len(classifier.label_names)
        self.asked: list[tuple[int, ...]] = []

    def __call__(self, variants: list[tuple[int, ...]]) -> Tensor:
        self.asked += variants
        rows = torch.zeros(len(variants), self.labels)
        rows[:, 0] = torch.tensor([sum(self.worth.get(token, 0.0) for token in ids) for ids in variants])
        return rows


def make_worded(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch, worth: Sequence[float] = WORTH) -> Worded:
    """In place of the classifier's passes."""
    model = Worded(classifier, worth)
    monkeypatch.setattr(TextClassifier, "_logits_of", lambda self, variants: model(variants))
    return model


def p(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def values(
    classifier: TextClassifier, metric: str, rows: Sequence[Scores], content: str = TEXT, label: int = 0, **params: Any
) -> list[Value]:
    batch = classifier.batch([classifier.encode("1", content)] * len(rows))
    return METRICS[metric](classifier, batch, rows, torch.full((len(rows),), label), **params)


def value(classifier: TextClassifier, metric: str, scores: Scores = SCORES, **params: Any) -> float:
    """Of one explanation of TEXT, which must have a value."""
    (found,) = values(classifier, metric, [scores], **params)
    assert found.value is not None and found.status == ""
    return found.value


def maker(name: str, **params: Any) -> Maker:
    """A method, ready to be run again."""
    return Maker(name, lambda classifier, batch, target: METHODS[name](classifier, batch, target, **params))
