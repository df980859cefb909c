"""Log-odds. Chen et al. 2020, https://arxiv.org/abs/2004.02015; Shrikumar et al. 2017, https://arxiv.org/abs/1704.02685

    probability   mean over q of  log p_c(x without its top q words) - log p_c(x)       Chen et al.
    odds          the same with log (p / (1 - p)) in place of log p                     Shrikumar et al.

Both papers say log-odds. `profile` says which q; see sharing.py.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from torch import Tensor

from catalogue.reasons import NO_PROBABILITY, SATURATED
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import REGRESSION, TextClassifier
from workers.faithfulness.erasing import Row, Undefined, Value, WordScores, by_erasing, tops
from workers.faithfulness.sharing import ERASER_SHARES, counts_of

LOGARITHMS: dict[str, Callable[[float], float]] = {"probability": math.log, "odds": lambda p: math.log(p / (1 - p))}


def log_odds(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    of: str = "probability",
    profile: str = "eraser",
    shares: Sequence[float] = ERASER_SHARES,
    absent: str = "remove",
) -> list[Value]:
    """One value a row, lower is better; undefined for regression, whose output is no probability."""

    def erased(row: Row) -> Iterator[set[int]]:
        if classifier.problem_type == REGRESSION:
            raise Undefined(NO_PROBABILITY)
        return tops(row, counts_of(row, profile, shares))

    def value(row: Row, p: list[float]) -> float:
        try:
            before, *after = map(LOGARITHMS[of], p)
        except (ValueError, ZeroDivisionError) as error:
            raise Undefined(SATURATED) from error
        return fmean(after) - before

    return by_erasing(classifier, batch, word_scores, target, absent, erased, value)
