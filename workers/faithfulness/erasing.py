"""What the metrics that erase words share: ranks, perturbed inputs, and when nothing can be said.

Words are ranked by score descending, ties by position; punctuation is ranked as any word is. Words are erased on the
ids of the text: special tokens stay.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from catalogue.reasons import ALL_EQUAL, FEW_WORDS, OTHER_WORDS, UNSCORED
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded

WordScores = Sequence[float | None]
Ids = tuple[int, ...]
# So many ids of perturbed texts are held at a time, however many texts are asked for.
HELD = 1 << 20


class Value(NamedTuple):
    """A metric's value, or None and the reason why it is undefined."""

    value: float | None
    status: str = ""


class Undefined(Exception):
    """Why a row has no value."""


class Row(NamedTuple):
    """One explanation: `words` are those that the model saw, with their `scores`; `ranked` are the same by rank."""

    text: Encoded
    words: list[int]
    scores: list[float]
    ranked: list[int]


def rows_of(batch: Batch, word_scores: Sequence[WordScores]) -> list[Row | Value]:
    """The rows whose words can be ranked, and of the others why not."""
    rows: list[Row | Value] = []
    for text, scores in zip(batch.texts, word_scores, strict=True):
        reason = _undefined(text, scores)
        if reason:
            rows.append(Value(None, reason))
        else:
            seen = text.seen
            rows.append(Row(text, seen, [scores[word] or 0.0 for word in seen], rank(text, scores)))
    return rows


def rank(text: Encoded, scores: WordScores) -> list[int]:
    """The words that the model saw, by score descending, ties by position."""
    scored = [(word, scores[word]) for word in text.seen]
    return [word for word, _ in sorted(scored, key=lambda pair: (-(pair[1] or 0.0), pair[0]))]


def _undefined(text: Encoded, scores: WordScores) -> str:
    """Why the words of a text cannot be ranked; empty when they can."""
    if len(scores) != len(text.words):
        return OTHER_WORDS
    seen = [scores[word] for word in text.seen]
    if len(seen) < 2:
        return FEW_WORDS
    if any(score is None or not math.isfinite(score) for score in seen):
        return UNSCORED
    return ALL_EQUAL if len(set(seen)) == 1 else ""


def by_erasing(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    absent: str,
    erased: Callable[[Row], Iterable[set[int]]],
    value: Callable[[Row, list[float]], float],
    output: str = "probability",
) -> list[Value]:
    """`value(row, p)` of each row: p holds p_c(x), then p_c without each set of words that `erased(row)` gives.

    Both may raise Undefined. `output` is the class's `probability`, or its `score` (the logit).
    """
    rows = [row if isinstance(row, Value) else _planned(row, erased) for row in rows_of(batch, word_scores)]
    inputs = [() if isinstance(row, Value) else _inputs(classifier, row[0], absent, row[1]) for row in rows]
    logits = outputs(classifier, batch, inputs)
    values = []
    for row, lines, label in zip(rows, logits, target.tolist(), strict=True):
        if isinstance(row, Value):
            values.append(row)
            continue
        found = classifier.probabilities(lines) if output == "probability" else lines
        values.append(_value(row[0], found[:, label].tolist(), value))
    return values


def _planned(row: Row, erased: Callable[[Row], Iterable[set[int]]]) -> tuple[Row, Iterable[set[int]]] | Value:
    try:
        return row, erased(row)
    except Undefined as reason:
        return Value(None, str(reason))


def _value(row: Row, found: list[float], value: Callable[[Row, list[float]], float]) -> Value:
    try:
        return Value(value(row, found))
    except Undefined as reason:
        return Value(None, str(reason))


def _inputs(classifier: TextClassifier, row: Row, absent: str, erased: Iterable[set[int]]) -> Iterator[Ids]:
    yield row.text.input_ids
    for words in erased:
        yield classifier.erase(row.text, words, absent)


def outputs(classifier: TextClassifier, batch: Batch, inputs: Sequence[Iterable[Ids]]) -> list[Tensor]:
    """Logits (inputs, labels), in doubles, of each row's inputs.

    The inputs of all rows run together, equal ones once: explanations of one text share their batches, and what
    the classifier remembers is not run at all.
    """
    found: list[list[Tensor]] = [[] for _ in inputs]
    stream = ((row, ids) for row, variants in enumerate(inputs) for ids in variants)
    for part in _parts(stream):
        lines = classifier.logits_of([ids for _, ids in part], batch.budget).double()
        for (row, _), line in zip(part, lines, strict=True):
            found[row].append(line)
    return [torch.stack(lines) if lines else torch.empty(0, 0) for lines in found]


def _parts(stream: Iterable[tuple[int, Ids]]) -> Iterator[list[tuple[int, Ids]]]:
    part: list[tuple[int, Ids]] = []
    held = 0
    for row, ids in stream:
        part.append((row, ids))
        held += len(ids)
        if held >= HELD:
            yield part
            part, held = [], 0
    if part:
        yield part


def tops(row: Row, counts: Iterable[int]) -> Iterator[set[int]]:
    """The top words, so many of them at a time."""
    return (set(row.ranked[:count]) for count in counts)


def all_but_tops(row: Row, counts: Iterable[int]) -> Iterator[set[int]]:
    """What is erased when the top words, so many of them at a time, are kept alone."""
    return (set(row.ranked[count:]) for count in counts)


def stations(words: int, steps: int) -> list[int]:
    """Numbers of words from 0 to all of them, in at most `steps` even steps; by single words where `steps` is 0."""
    taken = min(steps or words, words)
    return [math.floor(words * step / taken + 0.5) for step in range(taken + 1)]


def area(heights: Sequence[float], places: Sequence[int]) -> float:
    """Under a curve over 0..1, by trapezoids; `places` are numbers of words, the last one all of them."""
    return float(np.trapezoid(heights, np.asarray(places) / places[-1]))
