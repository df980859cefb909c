"""Rank correlation with leave-one-out. Jain & Wallace 2019, https://arxiv.org/abs/1902.10186; as tau-LOO in
Attanasio et al. 2023, https://arxiv.org/abs/2208.01575

    Kendall's tau-b between the scores and  p_c(x) - p_c(x without word w)  over the words w

With `absolute` the sizes of both are compared, which suits methods whose scores have no sign.
"""

from collections.abc import Iterable, Sequence

from scipy.stats import kendalltau
from torch import Tensor

from catalogue.reasons import ALL_EQUAL, NO_EFFECT
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness.erasing import Row, Undefined, Value, WordScores, by_erasing


def tau_loo(
    classifier: TextClassifier,
    batch: Batch,
    word_scores: Sequence[WordScores],
    target: Tensor,
    absolute: bool = False,
    absent: str = "remove",
) -> list[Value]:
    """One value in -1..1 a row, higher is better; leave-one-out is the same for all explanations of a text."""

    def erased(row: Row) -> Iterable[set[int]]:
        return ({word} for word in row.words)

    def value(row: Row, p: list[float]) -> float:
        scores, falls = row.scores, [p[0] - without for without in p[1:]]
        if absolute:
            scores, falls = [abs(score) for score in scores], [abs(fall) for fall in falls]
        if len(set(falls)) == 1:
            raise Undefined(NO_EFFECT)
        if len(set(scores)) == 1:
            raise Undefined(ALL_EQUAL)
        return float(kendalltau(scores, falls).statistic)

    return by_erasing(classifier, batch, word_scores, target, absent, erased, value)
