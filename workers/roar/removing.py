"""Which words of a text go: those with the highest scores among the words that are still there, a share of all."""

import math
from collections.abc import Collection, Sequence

from workers.classifiers.encoding import Encoded

Scores = Sequence[float | None]


def count_gone(words: int, share: float) -> int:
    """How many of so many words are a share of them: the nearest whole number, halves up."""
    return math.floor(round(share * words, 9) + 0.5)


def remove(text: Encoded, scores: Scores, gone: Collection[int], share: float) -> set[int]:
    """The words that are gone when a share of all that the model saw has to be, beyond those gone already.

    By score descending, ties by position; without scores, in a text of no word, there is nothing to remove.
    """
    left = sorted((word for word in text.seen if word not in gone), key=lambda word: (-(scores[word] or 0.0), word))
    more = max(0, count_gone(len(text.seen), share) - len(gone))
    return {*gone, *left[:more]}
