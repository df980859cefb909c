"""Units with equal value counts have one number, and only they."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.agreement.pooling import pool

units = st.lists(st.dictionaries(st.integers(0, 3), st.integers(1, 3), max_size=4), min_size=1, max_size=12)


def pooled(counts: list[dict[int, int]]) -> list[int]:
    cells = [(value, one[value]) for one in counts for value in sorted(one)]
    starts = np.cumsum([0, *(len(one) for one in counts)])
    values, numbers = np.array(cells, dtype=int).reshape(-1, 2).T
    return [int(number) for number in pool(starts, values, numbers)]


def test_it_works() -> None:
    assert pooled([{0: 2, 1: 1}, {1: 3}, {0: 2, 1: 1}, {}, {0: 2, 1: 2}]) == [2, 1, 2, 0, 3]


@settings(max_examples=60, deadline=None)
@given(units)
def test_numbers_are_equal_exactly_where_counts_are(counts: list[dict[int, int]]) -> None:
    found = pooled(counts)
    order = sorted({tuple(sorted(one.items())) for one in counts}, key=lambda cells: (len(cells), cells))
    assert found == [order.index(tuple(sorted(one.items()))) for one in counts]


@settings(max_examples=30, deadline=None)
@given(units, units)
def test_other_units_change_no_order(counts: list[dict[int, int]], others: list[dict[int, int]]) -> None:
    alone, among = np.argsort(pooled(counts), kind="stable"), pooled(counts + others)[: len(counts)]
    assert np.array_equal(alone, np.argsort(among, kind="stable"))
