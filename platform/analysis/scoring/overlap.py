"""How much the words overlap that two people mark in one text."""

from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np


def mean_overlap(marks: Sequence[Collection[int]]) -> float:
    """Mean over pairs of people of 2 |A and B| / (|A| + |B|), the F1 of one's words against the other's, in 0..1.

    marks: the numbers of the words that each marked. Pairs of whom neither marked a word are left out; NaN where
    none is left. Source: Dice 1945, Ecology 26:297-302; as token F1 it is what maps are scored by against a rationale
    (DeYoung et al. 2020, ERASER), and so the ceiling for them.
    """
    sets = [set(one) for one in marks]
    pairs = [(first, second) for first, second in combinations(sets, 2) if first or second]
    if not pairs:
        return float("nan")
    return float(np.mean([2 * len(first & second) / (len(first) + len(second)) for first, second in pairs]))
