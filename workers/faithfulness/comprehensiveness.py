"""Comprehensiveness. DeYoung et al. 2020, https://arxiv.org/abs/1911.03429

    mean over q of  p_c(x) - p_c(x without its top q words)

`profile` says which q; see sharing.py.
"""

from collections.abc import Sequence
from statistics import fmean

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value, WordScores, by_erasing, tops
from workers.faithfulness.sharing import ERASER_SHARES, counts_of


def comprehensiveness(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    profile: str = "eraser",
    shares: Sequence[float] = ERASER_SHARES,
    absent: str = "remove",
) -> list[Value]:
    """One value in -1..1 a row, higher is better."""
    return by_erasing(
        classifier,
        batch,
        word_scores,
        target,
        absent,
        lambda row: tops(row, counts_of(row, profile, shares)),
        lambda row, p: p[0] - fmean(p[1:]),
    )
