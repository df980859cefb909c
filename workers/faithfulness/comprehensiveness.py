"""Comprehensiveness, profile eraser. DeYoung et al. 2020, https://arxiv.org/abs/1911.03429

mean over q of  p_c(x) - p_c(x without its top q words)
"""

from collections.abc import Sequence

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value, WordScores, mean_fall

ERASER_SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)


def comprehensiveness(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    shares: Sequence[float] = ERASER_SHARES,
) -> list[Value]:
    """One value in -1..1 a row, higher is better; pieces are deleted from the ids, special tokens stay."""
    return mean_fall(classifier, batch, word_scores, target, shares, lambda ranked, count: ranked[:count])
