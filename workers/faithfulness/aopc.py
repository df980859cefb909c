"""Area over the perturbation curve. Samek et al. 2017, https://arxiv.org/abs/1509.06321, on words as
Nguyen 2018, https://aclanthology.org/N18-1097

    1 / (K + 1)  sum over k = 1..K of  p_c(x) - p_c(x without its top k words)

K is the number of words asked for, or all that there are. Nothing is removed at k = 0, which is counted.
"""

from collections.abc import Sequence
from statistics import fmean

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value, WordScores, by_erasing, tops


def aopc(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    words: int = 10,
    absent: str = "remove",
) -> list[Value]:
    """One value in -1..1 a row, higher is better."""
    return by_erasing(
        classifier,
        batch,
        word_scores,
        target,
        absent,
        lambda row: tops(row, range(1, min(words, len(row.ranked)) + 1)),
        lambda row, p: p[0] - fmean(p),
    )
