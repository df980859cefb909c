"""Marked words as ratings: every word of a text is a unit, and every worker says of it marked (1) or not (0)."""

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.agreement.counting import Ratings, count_cells
from analysis.arrays import IntArray

Marks = tuple[int, list[Collection[int]]]  # words of the stimulus, and the marked ones' numbers worker by worker


def count_marks(stimuli: Iterable[Marks], n_raters: int) -> Ratings:
    """Value counts of words, clustered by stimulus, so that intervals resample stimuli and not words.

    With m workers and c of them marking a word, it has c ones and m - c zeros. Words of stimuli of one worker are
    counted as units and cannot be paired. Linear in the words and marks. ValueError for a word that the stimulus does
    not have.
    """
    ones, sizes, stimulus = [np.empty(0, dtype=np.int64)], [0], [0]
    for words, workers in stimuli:
        ones.append(_marked(words, workers))
        sizes.append(len(workers))
        stimulus.append(words)
    marked, workers_of = np.concatenate(ones), np.repeat(sizes, stimulus)
    units = np.repeat(np.arange(len(marked)), 2)
    counts = np.stack([workers_of - marked, marked], axis=1).ravel()
    values = np.tile([0, 1], len(marked))
    seen = counts > 0
    cluster_of = pd.factorize(np.repeat(np.arange(len(stimulus)), stimulus))[0]
    found = count_cells(units[seen], values[seen], counts[seen], pd.Index(["0", "1"]), len(marked), cluster_of)
    return replace(found, n_raters=n_raters)


def _marked(words: int, workers: list[Collection[int]]) -> IntArray:
    """How many workers marked each word, (words,)."""
    numbers = [number for one in workers for number in one]
    if numbers and max(numbers) >= words:
        raise ValueError(f"Word {max(numbers)} is marked, of {words} words numbered from 0.")
    return np.bincount(np.array(numbers, dtype=int), minlength=words)
