"""Insertion. Petsiuk et al. 2018, https://arxiv.org/abs/1806.07421

area under p_c(the top share s of words alone, in text order),  s = 0..1,  by trapezoids
"""

from collections.abc import Sequence

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value, WordScores, all_but_tops, area, by_erasing, stations


def insertion_auc(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    steps: int = 20,
    absent: str = "remove",
) -> list[Value]:
    """One value in 0..1 a row (in the output's unit for regression), higher is better."""
    return by_erasing(
        classifier,
        batch,
        word_scores,
        target,
        absent,
        lambda row: all_but_tops(row, stations(len(row.ranked), steps)),
        lambda row, p: area(p[1:], stations(len(row.ranked), steps)),
    )
