"""Monotonicity. Luss et al. 2019, https://arxiv.org/abs/1905.12698; Arya et al. 2019, https://arxiv.org/abs/1909.03012

    Words are added to what is left of the text, the least salient first; the share of steps at which p_c does not fall.

Arya et al. start from nothing, add all words, and ask whether the share is 1 (`added="all"`). But a word that scores
below zero should make p_c fall. So by default the text starts with all words that do not score above zero, and the
others are added: what is right about a map, with a sign or without one, then has the value 1.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from torch import Tensor

from catalogue.reasons import NO_POSITIVE
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Row, Undefined, Value, WordScores, by_erasing, stations, tops

ROUNDING = 1e-6


def monotonicity(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    added: str = "positive",
    steps: int = 20,
    absent: str = "remove",
) -> list[Value]:
    """One value in 0..1 a row, higher is better."""

    def erased(row: Row) -> Iterator[set[int]]:
        words = len(row.ranked) if added == "all" else sum(score > 0 for score in row.scores)
        if not words:
            raise Undefined(NO_POSITIVE)
        return tops(row, reversed(stations(words, steps)))

    def value(row: Row, p: list[float]) -> float:
        return fmean(after >= before - ROUNDING for before, after in pairwise(p[1:]))

    return by_erasing(classifier, batch, word_scores, target, absent, erased, value)
