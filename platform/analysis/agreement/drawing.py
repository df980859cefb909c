"""Resamples of units, of raters, and of both, as value counts.

A rater who is drawn twice gives every rating twice. The two copies are one person and are not paired with each other:
they would agree perfectly, and alpha would rise with the resampling alone. A unit that is drawn twice is two units.
Both are drawn independently where both are resampled (Owen 2007, The pigeonhole bootstrap, Annals of Applied Statistics
1:386-411; the variance that it gives is never too small, and somewhat too large).

Ratings are counted block by block, for many resamples at once, so that what is being counted stays in the cache.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.sparse import csc_array, csr_array

from analysis.agreement.counting import Ratings
from analysis.arrays import FloatArray, IntArray

Over = Literal["units", "raters", "both"]
# Cells of a block, and numbers held for its resamples.
BLOCK = 8_192
HELD = 524_288


@dataclass(frozen=True)
class Layout:
    """Where cells belong: a cell is a value that was given in a group, which is a unit or all units of one profile.

    positions: (V,), of the values. groups, values: (cells,), groups ascending.
    """

    positions: FloatArray
    groups: IntArray
    values: IntArray
    n_groups: int

    @cached_property
    def by_group(self) -> csr_array:
        """(groups, cells): a product sums cells by group."""
        return _rows(np.arange(len(self.groups)), self.groups, self.n_groups, len(self.groups))

    @cached_property
    def by_value(self) -> csc_array:
        n = len(self.values)
        return csc_array((np.ones(n), self.values, np.arange(n + 1)), shape=(len(self.positions), n))


@dataclass(frozen=True)
class Sample:
    """Value counts of R resamples, or of one that stands for all.

    counts: (cells, R or 1), n_gc. weights: (groups, R or 1), how often each group was drawn. selves: (groups, R or 1),
    the pairs of a rating with itself or with a copy of its rater's; as many as ratings where every rater is there once.
    """

    layout: Layout
    counts: FloatArray
    weights: FloatArray
    selves: FloatArray

    @cached_property
    def sizes(self) -> FloatArray:
        """m_g, (groups, R or 1)."""
        return np.asarray(self.layout.by_group @ self.counts)

    @cached_property
    def pairs(self) -> FloatArray:
        """Ordered pairs of ratings by different raters: m (m - 1) where every rater is there once."""
        return self.sizes**2 - self.selves

    @cached_property
    def paired(self) -> FloatArray:
        """The weights of the groups that have pairs, 0 for the others."""
        return self.weights * (self.pairs > 0)

    def totals(self, weights: FloatArray) -> FloatArray:
        """Sum over groups of weight times n_gc, (V, R)."""
        return np.asarray(self.layout.by_value @ (self.counts * weights[self.layout.groups]))

    def per_pair(self, sums: FloatArray) -> FloatArray:
        """Of what is summed over the ordered pairs of each group, the mean; 0 where there are none."""
        return np.asarray(sums / np.where(self.pairs > 0, self.pairs, np.inf))


@dataclass(frozen=True)
class Statistic:
    """A number that follows from two sums over groups.

    totals: (V, R) of a sample; parts: (K, R) of a sample and, where they are `ranked` by them, the totals of all
    groups; value: (R,) of the positions of the values, the totals and the parts, NaN where undefined.
    """

    totals: Callable[[Sample], FloatArray]
    parts: Callable[[Sample, FloatArray], FloatArray]
    value: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    ranked: bool = False

    def of(self, samples: Callable[[], Iterator[Sample]], positions: FloatArray) -> FloatArray:
        """The statistic of all groups of these samples, (R,)."""
        totals: FloatArray = np.zeros((len(positions), 1))
        parts: FloatArray = np.zeros((1, 1))
        if self.ranked:
            for one in samples():
                totals = totals + self.totals(one)
        for one in samples():
            parts = parts + self.parts(one, totals)
            totals = totals if self.ranked else totals + self.totals(one)
        return self.value(positions, totals, parts)


@dataclass(frozen=True)
class Block:
    """Some groups, and how to count them once raters are drawn: matrices by (cells, raters) and (groups, raters).

    Where raters stay as they are, `counts` and `selves` say it.
    """

    layout: Layout
    first: int
    counts: FloatArray | csr_array
    selves: FloatArray | csr_array

    def sample(self, weights: FloatArray, raters: FloatArray | None) -> Sample:
        own = weights[self.first : self.first + self.layout.n_groups]
        if raters is None:
            return Sample(self.layout, np.asarray(self.counts), own, np.asarray(self.selves))
        return Sample(self.layout, np.asarray(self.counts @ raters), own, np.asarray(self.selves @ raters**2))


def observe(statistic: Statistic, ratings: Ratings) -> float:
    """Of the sample itself: every unit and every rater once."""
    whole = sample_as_given(ratings)
    return float(statistic.of(lambda: iter([whole]), ratings.positions)[0])


def sample_as_given(ratings: Ratings) -> Sample:
    """Every unit and every rater once, all profiles in one sample."""
    cells = ratings.profiles.tocoo()
    groups, values = (axis.astype(np.int64) for axis in cells.coords)
    layout = Layout(ratings.positions, groups, values, ratings.profiles.shape[0])
    counts = np.asarray(cells.data, dtype=float)[:, None]
    return Sample(layout, counts, ratings.frequencies[:, None], ratings.sizes[:, None])


def resample(statistic: Statistic, ratings: Ratings, over: Over, replicates: int, seed: int) -> FloatArray:
    """The statistic over resamples, (replicates,), NaN where undefined. Time and memory are linear in the ratings.

    units: with all their ratings; or clusters of units, where the ratings have them. raters: with all of theirs, the
    units staying as they are. both: each apart. ValueError where raters are to be drawn and only value counts are
    known.
    """
    blocks = _of_profiles(ratings) if over == "units" else _of_units(ratings)
    step = HELD // max(1, *(len(block.layout.groups) for block in blocks)) + 1

    def values(weights: FloatArray, raters: FloatArray | None) -> FloatArray:
        return statistic.of(lambda: (block.sample(weights, raters) for block in blocks), ratings.positions)

    return np.concatenate([values(*drawn) for drawn in _draws(ratings, over, replicates, seed, step)])


def resample_groups(
    statistic: Callable[[FloatArray], FloatArray], ratings: Ratings, group_of: IntArray, replicates: int, seed: int
) -> FloatArray:
    """A statistic of how often each group of units was drawn, (groups, R), over resampled units; empty for one unit."""
    if ratings.n_resampled < 2:
        return np.empty(0)
    n_groups = int(group_of.max()) + 1
    step = 8 * HELD // (n_groups + ratings.n_resampled) + 1
    drawn = draw_groups(ratings, group_of, n_groups, replicates, np.random.default_rng(seed), step)
    return np.concatenate([statistic(weights) for weights in drawn])


def draw_groups(
    ratings: Ratings, group_of: IntArray, n_groups: int, replicates: int, rng: np.random.Generator, step: int
) -> Iterator[FloatArray]:
    """How often each group of units was drawn, (groups, at most `step`): units one by one or by cluster."""
    clusters, n_units = ratings.cluster_of, len(group_of)
    members = np.sort(group_of)  # The order of units must not change what is drawn.
    if clusters is not None:
        holds = csr_array((np.ones(n_units), (group_of, clusters)), shape=(n_groups, ratings.n_resampled))
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        if clusters is not None:
            yield np.asarray(holds @ draw_each(ratings.n_resampled, rows, rng))
        elif n_groups * 16 < n_units:
            drawn = rng.multinomial(n_units, np.bincount(members, minlength=n_groups) / n_units, size=rows)
            yield np.ascontiguousarray(drawn.T, dtype=float)
        else:
            numbers = (members[rng.integers(0, n_units, n_units)] for _ in range(rows))
            yield _counted(numbers, n_groups)


def draw_each(n: int, replicates: int, rng: np.random.Generator) -> FloatArray:
    """How often each of n was drawn among n, (n, replicates)."""
    return _counted((rng.integers(0, n, n) for _ in range(replicates)), n)


def _counted(draws: Iterator[IntArray], n: int) -> FloatArray:
    return np.stack([np.bincount(one, minlength=n) for one in draws], axis=1).astype(float)


def _draws(
    ratings: Ratings, over: Over, replicates: int, seed: int, step: int
) -> Iterator[tuple[FloatArray, FloatArray | None]]:
    """The weights of groups and of raters; draws of the one do not depend on the other's."""
    of_units, of_raters = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2))
    if over == "units":
        n_groups = ratings.profiles.shape[0]
        for weights in draw_groups(ratings, ratings.profile_of, n_groups, replicates, of_units, step):
            yield weights, None
        return
    n_units, n_raters = len(ratings.profile_of), len(ratings.raters)
    units = draw_groups(ratings, np.arange(n_units), n_units, replicates, of_units, step)
    for start in range(0, replicates, step):
        raters = draw_each(n_raters, min(step, replicates - start), of_raters)
        yield next(units) if over == "both" else np.ones((n_units, 1)), raters


def _of_profiles(ratings: Ratings) -> list[Block]:
    """Groups are profiles; raters stay as they are."""
    whole = sample_as_given(ratings)
    return [
        Block(_layout(whole.layout, part), part.groups.start, whole.counts[part.cells], whole.selves[part.groups])
        for part in _parts(whole.layout.groups, whole.layout.n_groups)
    ]


def _of_units(ratings: Ratings) -> list[Block]:
    """Groups are units, whose ratings are counted again for every draw of raters."""
    judgments = ratings.judgments
    if judgments is None:
        raise ValueError("Only value counts are known, not whose: only units can be resampled.")
    fresh = np.diff(judgments.units * len(ratings.values) + judgments.values, prepend=-1) > 0
    starts, cell_of = np.flatnonzero(fresh), np.cumsum(fresh) - 1
    n_raters, n_units = len(ratings.raters), len(ratings.profile_of)
    whole = Layout(ratings.positions, judgments.units[starts], judgments.values[starts], n_units)
    counting = _rows(judgments.raters, cell_of, len(starts), n_raters)
    meeting = _rows(judgments.raters, judgments.units, n_units, n_raters)
    return [
        Block(_layout(whole, part), part.groups.start, counting[part.cells], meeting[part.groups])
        for part in _parts(whole.groups, n_units)
    ]


@dataclass(frozen=True)
class _Part:
    groups: slice
    cells: slice


def _parts(groups: IntArray, n_groups: int) -> list[_Part]:
    """Groups with about BLOCK cells together, of ascending cells."""
    ends = np.searchsorted(groups, np.arange(n_groups + 1))
    cuts = np.unique(np.searchsorted(ends, np.arange(0, len(groups), BLOCK)))
    bounds = [*cuts.tolist(), n_groups]
    return [
        _Part(slice(low, high), slice(int(ends[low]), int(ends[high])))
        for low, high in zip(bounds, bounds[1:], strict=False)
        if high > low
    ]


def _layout(whole: Layout, part: _Part) -> Layout:
    own = whole.groups[part.cells] - part.groups.start
    return Layout(whole.positions, own, whole.values[part.cells], part.groups.stop - part.groups.start)


def _rows(columns: IntArray, rows: IntArray, n_rows: int, n_columns: int) -> csr_array:
    """Ones at (row, column), rows ascending: built without sorting."""
    starts = np.searchsorted(rows, np.arange(n_rows + 1))
    return csr_array((np.ones(len(rows)), columns, starts), shape=(n_rows, n_columns))
