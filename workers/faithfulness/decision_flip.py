"""Decision flip. Serrano & Smith 2019, https://arxiv.org/abs/1906.03731; as a share of words, Chrysostomou & Aletras
2021, https://arxiv.org/abs/2105.02657

    the smallest k / n such that x without its top k words is no longer decided for the class

Decided is what the largest output says; with several labels at once, a probability of one half or more.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from catalogue.reasons import NEVER_FLIPS, NO_DECISION, NOT_PREDICTED
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import MULTI, REGRESSION, TextClassifier
from workers.faithfulness.erasing import Ids, Row, Value, WordScores, outputs, rows_of


def decision_flip(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    absent: str = "remove",
) -> list[Value]:
    """One value in 0..1 a row, lower is better; undefined where the class is not predicted, or always is."""
    rows = rows_of(batch, word_scores)
    labels = target.tolist()
    values: dict[int, Value] = {at: row for at, row in enumerate(rows) if isinstance(row, Value)}
    ranked = {at: row for at, row in enumerate(rows) if isinstance(row, Row)}
    if classifier.problem_type == REGRESSION:
        return [values.get(at, Value(None, NO_DECISION)) for at in range(len(rows))]
    whole = outputs(classifier, batch, [[row.text.input_ids] for row in ranked.values()])
    for at, logits in zip(ranked, whole, strict=True):
        if not _decided(classifier, logits, labels[at])[0]:
            values[at] = Value(None, NOT_PREDICTED)
    done, size = 0, 1
    while open_rows := {at: row for at, row in ranked.items() if at not in values}:
        # Ever more words at a time: most decisions flip early, and a pass serves many inputs.
        inputs = [_without_tops(classifier, row, absent, done, size) for row in open_rows.values()]
        for (at, row), logits in zip(open_rows.items(), outputs(classifier, batch, inputs), strict=True):
            flipped = (~_decided(classifier, logits, labels[at])).nonzero()
            if len(flipped):
                values[at] = Value((done + 1 + int(flipped[0])) / len(row.ranked))
            elif done + size >= len(row.ranked):
                values[at] = Value(None, NEVER_FLIPS)
        done, size = done + size, 2 * size
    return [values[at] for at in range(len(rows))]


def _without_tops(classifier: TextClassifier, row: Row, absent: str, done: int, size: int) -> list[Ids]:
    last = min(done + size, len(row.ranked))
    return [classifier.erase(row.text, set(row.ranked[:count]), absent) for count in range(done + 1, last + 1)]


def _decided(classifier: TextClassifier, logits: Tensor, label: int) -> Tensor:
    """Which inputs (inputs,) are decided for the label."""
    if classifier.problem_type == MULTI:
        return classifier.probabilities(logits)[:, label] >= 0.5
    return torch.eq(logits.argmax(-1), label)
