"""Marked words as ratings: every word of a text is a unit, and every worker says of it marked (1) or not (0)."""

from collections.abc import Collection, Iterable

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.agreement.counting import Ratings
from analysis.arrays import FloatArray

Marks = tuple[int, list[Collection[int]]]  # words of the stimulus, and the marked ones' numbers worker by worker


def count_marks(stimuli: Iterable[Marks], n_raters: int) -> Ratings:
    """Value counts over words, summed within each stimulus, so that intervals resample stimuli and not words.

    With m workers and c of them marking a word, the word holds c ones, m - c zeros, and c (m - c) / (m - 1) unlike
    pairs. Alpha sums these over words; per cent agreement weighs stimuli equally. Stimuli of one worker or without
    words are counted as units and cannot be paired. ValueError for a word that the stimulus does not have.
    """
    counts, pairs, units, ratings = [], [], 0, 0
    for words, workers in stimuli:
        units += words
        ratings += words * len(workers)
        marked = _marked(words, workers)
        if len(workers) > 1 and words:
            counts.append([words * len(workers) - marked.sum(), marked.sum()])
            pairs.append([float((marked * (len(workers) - marked)).sum() / (len(workers) - 1))])
    return Ratings(
        values=pd.Index(["0", "1"]),
        counts=csr_array(np.array(counts, dtype=float).reshape(-1, 2)),
        pairs=csr_array(np.array(pairs, dtype=float).reshape(-1, 1)),
        first=np.array([0]),
        second=np.array([1]),
        n_units=units,
        n_raters=n_raters,
        n_ratings=ratings,
    )


def _marked(words: int, workers: list[Collection[int]]) -> FloatArray:
    """How many workers marked each word, (words,)."""
    numbers = [number for one in workers for number in one]
    if numbers and max(numbers) >= words:
        raise ValueError(f"Word {max(numbers)} is marked, of {words} words numbered from 0.")
    return np.bincount(np.array(numbers, dtype=int), minlength=words).astype(float)
