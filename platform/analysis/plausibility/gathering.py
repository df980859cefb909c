"""From the marks of several people to one rationale."""

from collections.abc import Collection, Sequence

import numpy as np

from analysis.arrays import FloatArray

Span = list[int | float]
HALF = 0.5


def marked_shares(marks: Sequence[Collection[int]], n_words: int) -> FloatArray:
    """(n_words,) the share of people who marked each word: s_i = |{j : i in M_j}| / n.

    marks: the numbers of the words that each of n people marked, from 0; nobody marks a word twice. Raises ValueError
    where there is nobody, or a number is of no word.
    """
    if not marks:
        raise ValueError("There are no marks to gather.")
    counts = np.zeros(n_words)
    for marked in marks:
        numbers = sorted(set(marked))
        if numbers and not 0 <= numbers[0] <= numbers[-1] < n_words:
            raise ValueError(f"There are {n_words} words, so none is marked by {numbers[-1]}.")
        counts[numbers] += 1
    return counts / len(marks)


def agreed_spans(shares: FloatArray, words: Sequence[Sequence[int]], content: str, least: float = HALF) -> list[Span]:
    """[start, end, share] of what at least a share `least` of people marked, in the order of the text.

    Thresholding at one half is the majority vote by which DeYoung et al. 2020 (arXiv 1911.03429) merge several people's
    rationales; the share stays as the graded importance. Neighbours of one share, with nothing but white space between
    them, are one span. words: [start, end] of each word in code points of `content`, the end not included.
    """
    spans: list[Span] = []
    for (start, end), share in zip(words, shares.tolist(), strict=True):
        if share < least or share == 0:
            continue
        if spans and spans[-1][2] == share and not content[int(spans[-1][1]) : start].strip():
            spans[-1][1] = end
        else:
            spans.append([start, end, share])
    return spans
