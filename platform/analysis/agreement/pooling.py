"""Units that were given the same values equally often are one: a coefficient that counts values cannot tell them apart.

Of 200,000 units rated five times on five points there are at most 126 kinds. To resample units is then to draw how
often each kind comes, and no kind is looked at twice.
"""

import numpy as np
import pandas as pd

from analysis.arrays import IntArray


def pool(starts: IntArray, values: IntArray, counts: IntArray) -> IntArray:
    """The profile of each unit, (units,), numbered from 0; the same number exactly where all value counts are the same.

    starts: (units + 1,), where the cells of each unit begin; values, counts: (cells,), how often which value was given,
    values ascending within a unit. Profiles are read cell by cell, as words are by their letters; linear in the cells.
    Numbers go by length, then cell by cell: they do not depend on the order of the units, nor does the order of two
    profiles depend on what others there are.
    """
    lengths = np.diff(starts)
    cells = _numbered(values * (counts.max(initial=0) + 1) + counts)
    codes = np.zeros(len(lengths), dtype=np.int64)
    known, step = 1, 0
    reading = np.flatnonzero(lengths)
    while len(reading):
        keys = codes[reading] * (len(cells) + 1) + cells[starts[reading] + step]
        found = _numbered(keys)
        codes[reading] = known + found
        distinct = int(found.max()) + 1
        known += distinct
        step += 1
        if distinct == len(reading):  # What is still being read differs already: in the order that reading on gives.
            order = np.lexsort((codes[reading], lengths[reading]))
            codes[reading[order]] = known + np.arange(distinct)
            break
        reading = reading[lengths[reading] > step]
    return _numbered(codes)


def _numbered(keys: IntArray) -> IntArray:
    """The rank of each key among the different ones."""
    return np.asarray(pd.factorize(keys, sort=True)[0], dtype=np.int64)
