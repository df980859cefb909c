"""What the metrics that erase words share: ranks, perturbed inputs, and when nothing can be said."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded

WordScores = Sequence[float | None]


class Value(NamedTuple):
    """A metric's value, or None and the reason why it is undefined."""

    value: float | None
    status: str = ""


def rank(text: Encoded, scores: WordScores) -> list[int]:
    """The words that the model saw, by score descending, ties by position."""
    scored = [(word, scores[word]) for word in text.seen]
    return [word for word, _ in sorted(scored, key=lambda pair: (-(pair[1] or 0.0), pair[0]))]


def mean_fall(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    shares: Sequence[float],
    erase: Callable[[list[int], int], list[int]],
) -> list[Value]:
    """Mean over `shares` of p_c(x) - p_c(x without `erase(ranked words, count)`), one value a row.

    count = ceil(share * n), so at least one word; rows of one text may stand side by side in the batch, one
    an explanation: equal inputs run once.
    """
    reasons = [_undefined(text, scores) for text, scores in zip(batch.texts, word_scores, strict=True)]
    inputs: list[list[tuple[int, ...]]] = []
    for text, scores, reason in zip(batch.texts, word_scores, reasons, strict=True):
        ranked = [] if reason else rank(text, scores)
        counts = [] if reason else [math.ceil(round(share * len(ranked), 9)) for share in shares]
        inputs.append([text.without(set(erase(ranked, count))) for count in counts])
    probability = _probabilities(classifier, batch, inputs)
    values = []
    for text, variants, label, reason in zip(batch.texts, inputs, target.tolist(), reasons, strict=True):
        falls = [float(probability[text.input_ids][label] - probability[ids][label]) for ids in variants]
        values.append(Value(None, reason) if reason else Value(sum(falls) / len(falls)))
    return values


def _undefined(text: Encoded, scores: WordScores) -> str:
    """Why the words of a text cannot be ranked; empty when they can."""
    if len(scores) != len(text.words):
        return "not one score a word"
    seen = [scores[word] for word in text.seen]
    if len(seen) < 2:
        return "fewer than two words"
    if any(score is None or not math.isfinite(score) for score in seen):
        return "a word without a score"
    return "all words score the same" if len(set(seen)) == 1 else ""


def _probabilities(
    classifier: TextClassifier, batch: Batch, inputs: list[list[tuple[int, ...]]]
) -> dict[tuple[int, ...], Tensor]:
    """Probabilities (labels,) of every input and of the texts themselves; the batch remembers them."""
    known: dict[tuple[int, ...], Tensor] = batch.memo.setdefault("probabilities", {})
    wanted = [text.input_ids for text in batch.texts] + [ids for variants in inputs for ids in variants]
    new = [ids for ids in dict.fromkeys(wanted) if ids not in known]
    if new:
        with torch.no_grad():
            probabilities = classifier.probabilities(classifier.logits_of(new, batch.budget)).cpu()
        known.update(zip(new, probabilities, strict=True))
    return known
