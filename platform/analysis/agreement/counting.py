"""Ratings as value counts: how often each unit got each value. Everything about agreement follows from these."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Ratings:
    """Value counts of the units with at least two ratings, and the pairs of unlike values within units.

    values: the V distinct values, ascending (numbers for every level but nominal).
    counts: (pairable units, V) sparse, n_uc.
    pairs: (pairable units, P) sparse: n_uc n_uk / (m_u - 1) for the P pairs c < k that occur in some unit.
    first, second: (P,) the value indices of each pair.
    """

    values: pd.Index
    counts: csr_array
    pairs: csr_array
    first: IntArray
    second: IntArray
    n_units: int
    n_raters: int
    n_ratings: int

    @property
    def n_pairable_units(self) -> int:
        return int(self.counts.shape[0])

    @property
    def n_pairable(self) -> int:
        """Ratings that can be paired with another of the same unit."""
        return int(self.counts.sum())

    @property
    def sizes(self) -> FloatArray:
        """Ratings of each pairable unit, m_u."""
        return np.asarray(self.counts.sum(axis=1), dtype=float)


def count_ratings(units: pd.Series, raters: pd.Series, labels: pd.Series, *, numeric: bool) -> Ratings:
    """Count one rating per row; rows without a label are missing ratings and left out.

    Linear in the number of rows. Raises ValueError where a level of measurement needs numbers and a label is none.
    """
    given = labels.notna().to_numpy()
    unit_of, names = pd.factorize(units[given])
    value_of, values = pd.factorize(_as_numbers(labels[given]) if numeric else labels[given].astype(str), sort=True)
    sizes = np.bincount(unit_of, minlength=len(names))
    pairable = sizes[unit_of] >= 2
    rows = np.cumsum(sizes >= 2)[unit_of[pairable]] - 1
    n_units = int((sizes >= 2).sum())
    ones = np.ones(len(rows))
    counts = csr_array((ones, (rows, value_of[pairable])), shape=(n_units, len(values)))
    counts.sum_duplicates()
    pairs, first, second = _unlike_pairs(counts)
    raters_seen = int(raters[given].nunique())
    return Ratings(values, counts, pairs, first, second, len(names), raters_seen, len(unit_of))


def _as_numbers(labels: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(labels, errors="coerce")
    if numbers.isna().any():
        culprit = labels[numbers.isna()].iloc[0]
        raise ValueError(f"Label {culprit!r} is not a number; only the nominal level takes other labels.")
    return numbers.astype(float)


def _unlike_pairs(counts: csr_array) -> tuple[csr_array, IntArray, IntArray]:
    """Every pair of different values within a unit, weighted n_uc n_uk / (m_u - 1)."""
    n_units, n_values = counts.shape
    distinct = np.diff(counts.indptr)
    owners = np.repeat(np.arange(n_units), distinct)
    partners = distinct[owners]
    left = np.repeat(np.arange(len(owners)), partners)
    offsets = np.arange(len(left)) - np.repeat(np.cumsum(partners) - partners, partners)
    right = counts.indptr[owners[left]] + offsets
    ordered = counts.indices[left] < counts.indices[right]
    left, right = left[ordered], right[ordered]
    sizes = np.asarray(counts.sum(axis=1))
    weights = counts.data[left] * counts.data[right] / (sizes[owners[left]] - 1)
    keys = counts.indices[left].astype(np.int64) * n_values + counts.indices[right]
    combinations, column = np.unique(keys, return_inverse=True)
    pairs = csr_array((weights, (owners[left], column)), shape=(n_units, len(combinations)))
    return pairs, combinations // max(n_values, 1), combinations % max(n_values, 1)
