"""Ratings as value counts: how often each unit got each value. Everything about agreement follows from these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.agreement.pooling import pool
from analysis.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Judgments:
    """Who gave which value to which unit, one entry a rating, in the order of units, then values; all numbered from
    0."""

    units: IntArray
    raters: IntArray
    values: IntArray


@dataclass(frozen=True)
class Ratings:
    """Value counts of units, those with equal counts held once.

    values: the V values of the scale, ascending; numbers for every level but nominal.
    units, raters: their names. profiles: (D, V) sparse, the distinct value counts n_dc. profile_of: (U,), of each unit.
    cluster_of: (U,), which units are resampled together; None where each is by itself.
    judgments: None where only value counts are known, and then raters cannot be resampled or compared.
    n_units, n_raters, n_ratings: of all that was given, also where this holds the pairable alone.
    """

    values: pd.Index
    units: pd.Index
    raters: pd.Index
    profiles: csr_array
    profile_of: IntArray
    cluster_of: IntArray | None
    judgments: Judgments | None
    n_units: int
    n_raters: int
    n_ratings: int

    @cached_property
    def frequencies(self) -> FloatArray:
        """How many units each profile stands for, (D,)."""
        return np.bincount(self.profile_of, minlength=self.profiles.shape[0]).astype(float)

    @cached_property
    def sizes(self) -> FloatArray:
        """Ratings of a unit of each profile, m_d."""
        return np.asarray(self.profiles.sum(axis=1), dtype=float)

    @cached_property
    def pairable(self) -> "Ratings":
        """The units with at least two ratings, and who gave those."""
        return _restricted(self, self.sizes >= 2)

    @property
    def crossed(self) -> "Ratings":
        """The units that every rater rated."""
        return _restricted(self, self.sizes == self.n_raters)

    @property
    def n_pairable(self) -> int:
        """Ratings that can be paired with another of the same unit."""
        paired = self.sizes >= 2
        return int(self.frequencies[paired] @ self.sizes[paired])

    @property
    def n_resampled(self) -> int:
        """How many units, or clusters of units, there are to resample."""
        return len(self.profile_of) if self.cluster_of is None else int(self.cluster_of.max(initial=-1)) + 1

    @property
    def n_values_paired(self) -> int:
        """How many different values the pairable ratings have."""
        return len(np.unique(self.pairable.profiles.indices))

    @property
    def numeric(self) -> bool:
        return bool(pd.api.types.is_numeric_dtype(self.values))

    @property
    def positions(self) -> FloatArray:
        """Where each value stands: the numbers themselves; of other labels their places in the order."""
        return self.values.to_numpy(dtype=float) if self.numeric else np.arange(len(self.values), dtype=float)


def count_ratings(
    units: pd.Series,
    raters: pd.Series,
    labels: pd.Series,
    *,
    numeric: bool,
    clusters: pd.Series | None = None,
    scale: Sequence[Any] | None = None,
) -> Ratings:
    """Count one rating per row; rows without a label are missing ratings and left out.

    clusters: units of one cluster are resampled together, such as the stimuli of one text. scale: what could have been
    given, where that is more than was. Linear in the number of rows but for sorting them. Raises ValueError where a
    level of measurement needs numbers and a label is none, a label is not on the scale, a rating has no unit or rater,
    or a rater rated a unit twice.
    """
    given = labels.notna().to_numpy()
    unit_of, unit_names = pd.factorize(units[given])
    rater_of, rater_names = _in_order(raters[given])
    value_of, values = _valued(labels[given], numeric, scale)
    if min(unit_of.min(initial=0), rater_of.min(initial=0)) < 0:
        raise ValueError("A rating has no unit or no rater; every rating needs both.")
    cluster_of = None if clusters is None else _clusters(clusters[given], unit_of, len(unit_names))
    _refuse_repetition(unit_of, rater_of, unit_names, rater_names)
    judgments = _sorted(unit_of, value_of, rater_of, len(values), len(rater_names))
    fresh = np.diff(judgments.units * len(values) + judgments.values, prepend=-1) > 0
    starts = np.flatnonzero(fresh)
    counts = np.diff(starts, append=len(judgments.units))
    cells = judgments.units[starts], judgments.values[starts], counts
    counted = count_cells(*cells, values, len(unit_names), cluster_of)
    return replace(
        counted, units=pd.Index(unit_names), raters=rater_names, judgments=judgments, n_raters=len(rater_names)
    )


def count_cells(
    units: IntArray, values: IntArray, counts: IntArray, scale: pd.Index, n_units: int, cluster_of: IntArray | None
) -> Ratings:
    """Ratings of which only counts are known: that the unit got the value so often, a cell; sorted by unit and
    value."""
    starts = np.searchsorted(units, np.arange(n_units + 1))
    profile_of = pool(starts, values, counts)
    one_of = np.zeros(int(profile_of.max(initial=-1)) + 1, dtype=np.int64)
    one_of[profile_of] = np.arange(n_units)
    whole = csr_array((counts.astype(float), values, starts), shape=(n_units, len(scale)))
    return Ratings(
        values=scale,
        units=pd.RangeIndex(n_units),
        raters=pd.Index([]),
        profiles=csr_array(whole[one_of]),
        profile_of=profile_of,
        cluster_of=cluster_of,
        judgments=None,
        n_units=n_units,
        n_raters=0,
        n_ratings=int(counts.sum()),
    )


def _valued(labels: pd.Series, numeric: bool, scale: Sequence[Any] | None) -> tuple[IntArray, pd.Index]:
    """The number of each label's value, and the values, ascending."""
    codes, distinct = pd.factorize(labels)
    found = _as_numbers(pd.Series(distinct)) if numeric else pd.Series(distinct).astype(str)
    offered = found if scale is None else pd.Series(list(scale)).astype(float if numeric else str)
    values = pd.Index(np.sort(offered.unique()))
    places = values.get_indexer(pd.Index(found))
    if (places < 0).any():
        raise ValueError(f"Label {found[places < 0].iloc[0]!r} is not on the scale {', '.join(map(str, values))}.")
    return np.asarray(places, dtype=np.int64)[codes], values


def _in_order(names: pd.Series) -> tuple[IntArray, pd.Index]:
    """Numbers that do not depend on who comes first, so that neither do the draws."""
    codes, distinct = pd.factorize(names)
    order = np.argsort(pd.Index(distinct).astype(str), kind="stable")
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    missing = codes < 0
    return np.where(missing, -1, places[codes] if len(order) else codes), pd.Index(distinct)[order]


def _clusters(clusters: pd.Series, unit_of: IntArray, n_units: int) -> IntArray | None:
    """None where every cluster is one unit, for then units are drawn by their profiles, which is faster."""
    codes, names = _in_order(clusters)
    found = np.zeros(n_units, dtype=np.int64)
    found[unit_of] = codes
    return None if len(names) == n_units else found


def _as_numbers(labels: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(labels, errors="coerce")
    if numbers.isna().any():
        culprit = labels[numbers.isna()].iloc[0]
        raise ValueError(f"Label {culprit!r} is not a number; only the nominal level takes other labels.")
    return numbers.astype(float)


def _sorted(units: IntArray, values: IntArray, raters: IntArray, n_values: int, n_raters: int) -> Judgments:
    """By unit, value and rater: one number says all three, and numbers sort faster than rows."""
    keys = np.sort((units * n_values + values) * n_raters + raters)
    cells, raters = np.divmod(keys, max(n_raters, 1))
    units, values = np.divmod(cells, max(n_values, 1))
    return Judgments(units, raters, values)


def _refuse_repetition(unit_of: IntArray, rater_of: IntArray, units: pd.Index, raters: pd.Index) -> None:
    pairs = np.sort(unit_of * len(raters) + rater_of)
    repeated = pairs[1:][pairs[1:] == pairs[:-1]]
    if len(repeated):
        unit, rater = divmod(int(repeated[0]), len(raters))
        raise ValueError(f"Rater {raters[rater]} rated unit {units[unit]} more than once; one rating each counts.")


def _restricted(ratings: Ratings, kept: BoolArray) -> Ratings:
    """The units of some profiles, with those who rated them."""
    if kept.all():
        return ratings
    units = kept[ratings.profile_of]
    judgments, raters = _kept_judgments(ratings, units)
    clusters = ratings.cluster_of
    return replace(
        ratings,
        units=ratings.units[units],
        raters=raters,
        profiles=csr_array(ratings.profiles[np.flatnonzero(kept)]),
        profile_of=(np.cumsum(kept) - 1)[ratings.profile_of[units]],
        cluster_of=None if clusters is None else pd.factorize(clusters[units], sort=True)[0],
        judgments=judgments,
    )


def _kept_judgments(ratings: Ratings, kept: BoolArray) -> tuple[Judgments | None, pd.Index]:
    found = ratings.judgments
    if found is None:
        return None, ratings.raters
    rows = kept[found.units]
    raters, numbers = pd.factorize(found.raters[rows], sort=True)
    units = (np.cumsum(kept) - 1)[found.units[rows]]
    return Judgments(units, raters, found.values[rows]), ratings.raters[numbers]
