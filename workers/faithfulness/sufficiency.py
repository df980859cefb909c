"""Sufficiency. DeYoung et al. 2020, https://arxiv.org/abs/1911.03429

    mean over q of  p_c(x) - p_c(the top q words alone, in text order)

`profile` says which q; see sharing.py.
"""

from collections.abc import Sequence
from statistics import fmean

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Value, WordScores, all_but_tops, by_erasing
from workers.faithfulness.sharing import ERASER_SHARES, counts_of


def sufficiency(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    profile: str = "eraser",
    shares: Sequence[float] = ERASER_SHARES,
    absent: str = "remove",
) -> list[Value]:
    """One value in -1..1 a row, lower is better."""
    return by_erasing(
        classifier,
        batch,
        word_scores,
        target,
        absent,
        lambda row: all_but_tops(row, counts_of(row, profile, shares)),
        lambda row, p: p[0] - fmean(p[1:]),
    )
