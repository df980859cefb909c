"""Plausibility: does an explanation point at the words that people give as their reason?

`metric(words, **params) -> Plausibility`: one explanation's words at a time, no model. Where people marked no word, or
every word, or where the words cannot be ranked, there is no value but a status.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau, spearmanr

from analysis.arrays import BoolArray, FloatArray
from analysis.plausibility.highlighting import (
    Highlighted,
    Plausibility,
    Run,
    highlight,
    runs_of,
    undefined,
    undefined_scores,
)

# A predicted span counts as found from this intersection over union on.
FOUND_FROM = 0.5
Metric = Callable[..., Plausibility]


def token_f1(words: Highlighted, k: int = 0) -> Plausibility:
    """F1 = 2PR / (P + R) of the k highest scored words against the marked ones, 0..1.

    k = 0 takes as many words as are marked, so that P = R; ties go to the earlier word.
    Source: DeYoung et al. 2020, ERASER (arXiv 1911.03429).
    """
    return _if_defined(words, lambda: _shared(words, k) / ((_top(words, k).sum() + words.marks.sum()) / 2))


def token_iou(words: Highlighted, k: int = 0) -> Plausibility:
    """Intersection over union of the k highest scored words and the marked ones, 0..1; k as in `token_f1`."""
    return _if_defined(words, lambda: _shared(words, k) / (_top(words, k) | words.marks).sum())


def iou_f1(words: Highlighted, k: int = 0) -> Plausibility:
    """F1 of spans: the runs of the k highest scored words against the spans that people marked, 0..1.

    A run is found if its intersection over union with any marked span is at least 0.5; P is the share of runs that are
    found, R found runs over marked spans. k as in `token_f1`. ERASER's figure for a data set is not the mean of this
    but `macro_iou_f1`.
    Source: DeYoung et al. 2020, ERASER (arXiv 1911.03429).
    """
    return _if_defined(words, lambda: _f1(*match_spans(words, k)))


class Matched(NamedTuple):
    """Precision and recall of runs against marked spans."""

    precision: float
    recall: float


def match_spans(words: Highlighted, k: int = 0) -> Matched:
    """P and R of `iou_f1`, for an explanation that has one."""
    predicted = runs_of(_top(words, k))
    found = sum(max(_iou(run, marked) for marked in words.runs) >= FOUND_FROM for run in predicted)
    # Runs stand apart, so that no two of them can hold half of one span each.
    return Matched(found / len(predicted), found / len(words.runs))


def macro_iou_f1(matches: Sequence[Matched]) -> float | None:
    """ERASER's IoU F1 of a data set: F1 of the mean P and the mean R over its explanations; None without any.

    Source: DeYoung et al. 2020, ERASER (arXiv 1911.03429).
    """
    if not matches:
        return None
    return _f1(float(np.mean([one.precision for one in matches])), float(np.mean([one.recall for one in matches])))


def auprc(words: Highlighted, interpolation: str = "step") -> Plausibility:
    """Area under the precision-recall curve of the scores against the marks, 0..1; equal scores enter together.

    `step`: sum over thresholds of (R_i - R_(i-1)) P_i, the average precision. `linear`: the curve's points joined by
    straight lines, beginning at R = 0 and P = 1, as ERASER and ferret compute it; it is too kind to few points.
    Source: Davis and Goadrich 2006, The Relationship Between Precision-Recall and ROC Curves, ICML.
    """
    return _if_defined(words, lambda: _area(*_curve(words), straight=interpolation == "linear"))


def pointing_game(words: Highlighted) -> Plausibility:
    """1 if the highest scored word is marked, else 0; of equal scores the earliest counts.

    Source: Zhang et al. 2016, Top-down Neural Attention by Excitation Backprop (arXiv 1608.00507).
    """
    status = undefined(words)
    return (
        Plausibility(None, status) if status != "ok" else Plausibility(float(words.marks[words.scores.argmax()]), "ok")
    )


def rank_correlation(words: Highlighted, coefficient: str = "kendall_tau_b") -> Plausibility:
    """Rank correlation of the scores with the importance that people gave, -1..1; a word they left out weighs 0.

    `kendall_tau_b` (Kendall 1945) or `spearman` (1904), both with ties. Without graded importance there is no value.
    """
    if words.weights is None:
        return Plausibility(None, "no_graded_importance")
    status = undefined_scores(words.scores)
    if status == "ok" and (words.weights == words.weights[0]).all():
        status = "all_words_equally_important"
    if status != "ok":
        return Plausibility(None, status)
    correlate = {"kendall_tau_b": kendalltau, "spearman": spearmanr}[coefficient]
    return Plausibility(float(correlate(words.scores, words.weights).statistic), "ok")


METRICS: dict[str, Metric] = {
    "token_f1": token_f1,
    "token_iou": token_iou,
    "iou_f1": iou_f1,
    "auprc": auprc,
    "pointing_game": pointing_game,
    "rank_correlation": rank_correlation,
}


def score_plausibility(
    metric: str,
    offsets: Sequence[Sequence[int]],
    scores: Sequence[float | None],
    rationale: Sequence[Sequence[float]] | None,
    params: Mapping[str, Any],
) -> Plausibility:
    """One metric of one explanation, as it is stored: `offsets` [start, end] of each word, its score or None, and the
    rationale of `highlight`, None or empty where the text has none.
    """
    if not rationale:
        return Plausibility(None, "no_rationale")
    if len(offsets) != len(scores):
        return Plausibility(None, "not_one_score_a_word")
    starts, ends = ([span[side] for span in offsets] for side in (0, 1))
    return METRICS[metric](highlight(starts, ends, scores, rationale), **params)


def _if_defined(words: Highlighted, value: Callable[[], float]) -> Plausibility:
    status = undefined(words)
    return Plausibility(float(value()) if status == "ok" else None, status)


def _shared(words: Highlighted, k: int) -> int:
    return int((_top(words, k) & words.marks).sum())


def _top(words: Highlighted, k: int) -> BoolArray:
    """The k highest scored words, ties by position; as many as are marked where k is 0."""
    count = k or int(words.marks.sum())
    chosen = np.zeros(len(words.scores), dtype=np.bool_)
    chosen[np.argsort(-words.scores, kind="stable")[:count]] = True
    return chosen


def _iou(first: Run, second: Run) -> float:
    shared = max(0, min(first[1], second[1]) - max(first[0], second[0]))
    return shared / (first[1] - first[0] + second[1] - second[0] - shared)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _area(precision: FloatArray, recall: FloatArray, *, straight: bool) -> float:
    before = np.concatenate([[1.0], precision[:-1]]) if straight else precision
    return float((np.diff(recall, prepend=0.0) * (precision + before) / 2).sum())


def _curve(words: Highlighted) -> tuple[FloatArray, FloatArray]:
    """Precision and recall at every distinct score, from the highest down."""
    order = np.argsort(-words.scores, kind="stable")
    ranked = words.scores[order]
    last_of_ties = np.append(ranked[1:] != ranked[:-1], True)
    found = np.cumsum(words.marks[order])[last_of_ties]
    counted = np.flatnonzero(last_of_ties) + 1
    return found / counted, found / words.marks.sum()
