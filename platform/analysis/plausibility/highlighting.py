"""An explanation's words beside the words that people marked: what every plausibility metric reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import BoolArray, FloatArray

# A word counts as marked where a span covers at least this share of its characters.
LEAST_COVER = 0.5
Run = tuple[int, int]


@dataclass(frozen=True)
class Highlighted:
    """The n words of one text that the model saw.

    scores: (n,) one a word. marks: (n,) whether people marked it. weights: (n,) how important people say it is, 0 where
    they say nothing; None where they only marked. runs: each marked span as its first word and the word after its last.
    """

    scores: FloatArray
    marks: BoolArray
    weights: FloatArray | None
    runs: tuple[Run, ...]


class Plausibility(NamedTuple):
    """A metric's value, None where `status` is not "ok".

    status: ok, no_rationale, no_marked_word, every_word_marked, fewer_than_two_words, a_word_without_a_score,
    not_one_score_a_word, all_words_score_the_same, no_graded_importance, all_words_equally_important.
    """

    value: float | None
    status: str


def highlight(
    starts: Sequence[int],
    ends: Sequence[int],
    scores: Sequence[float | None],
    rationale: Sequence[Sequence[float]],
) -> Highlighted:
    """Lay a rationale over an explanation's words.

    starts, ends: offsets of each word into the text, code points, the end not included. scores: one a word, None where
    the model never saw it; such words are left out. rationale: [start, end] or [start, end, weight] in the same
    offsets. A span without a weight weighs 1; of several over one word the heaviest counts. A span of weight 0 marks
    nothing. Raises ValueError where offsets and scores are of unequal number.
    """
    seen = [(start, end, score) for start, end, score in zip(starts, ends, scores, strict=True) if score is not None]
    first, last = (np.array([word[side] for word in seen], dtype=np.float64) for side in (0, 1))
    weights = np.zeros(len(seen))
    runs = []
    for start, end, *weight in rationale:
        covered = (np.minimum(last, end) - np.maximum(first, start)) >= LEAST_COVER * (last - first)
        weights = np.where(covered, np.maximum(weights, weight[0] if weight else 1.0), weights)
        runs += runs_of(covered) if not weight or weight[0] > 0 else []
    graded = any(len(span) > 2 for span in rationale)
    return Highlighted(
        np.array([score for _, _, score in seen], dtype=np.float64),
        weights > 0,
        weights if graded else None,
        tuple(sorted(set(runs))),
    )


def undefined(words: Highlighted) -> str:
    """Why a metric of marks has no value; "ok" where it has one."""
    if not words.marks.any():
        return "no_marked_word"
    if len(words.scores) > 1 and words.marks.all():
        return "every_word_marked"
    return undefined_scores(words.scores)


def undefined_scores(scores: FloatArray) -> str:
    """Why words cannot be ranked by their scores; "ok" where they can."""
    if len(scores) < 2:
        return "fewer_than_two_words"
    if not np.isfinite(scores).all():
        return "a_word_without_a_score"
    return "all_words_score_the_same" if (scores == scores[0]).all() else "ok"


def runs_of(chosen: BoolArray) -> list[Run]:
    """The unbroken runs of chosen words, each as its first and the word after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
