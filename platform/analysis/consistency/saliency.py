"""Consistency: do maps that should be alike look alike?

Of two models that should reason alike on one input (model consistency), or of one model on two inputs that differ in
nothing that matters (input consistency).

Source: Ding and Koehn 2021, Evaluating Saliency Methods for Neural Language Models (arXiv 2104.05824).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES
from analysis.consistency.averaging import mean_over_units

# Scores below this share of the map's greatest are noise, and count as none.
NOISE_SHARE = 0.01
Pair = tuple[FloatArray, FloatArray]


class Likeness(NamedTuple):
    """Pearson's r of two maps, None where `status` is not "ok".

    status: ok, unequal_lengths, fewer_than_two_words, constant_map.
    """

    value: float | None
    status: str


@dataclass(frozen=True)
class Consistency:
    """The mean likeness of n pairs of maps.

    skipped: pairs of unequal lengths; undefined: pairs in which a map is constant or has fewer than two words.
    `value` and `ci` are None where `status` is not "ok"; `ci` alone may be None.

    status: ok, no_comparable_pair.
    """

    value: float | None
    ci: tuple[float, float] | None
    n: int
    skipped: int
    undefined: int
    status: str


def without_noise(scores: FloatArray, share: float = NOISE_SHARE) -> FloatArray:
    """The scores with zero for every |s| < share x max |s|."""
    sizes = np.abs(scores)
    return np.where(sizes < share * sizes.max(initial=0.0), 0.0, scores)


def likeness(first: FloatArray, second: FloatArray, share: float = NOISE_SHARE) -> Likeness:
    """Pearson's r of two maps, one score a word, after `without_noise`."""
    if len(first) != len(second):
        return Likeness(None, "unequal_lengths")
    if len(first) < 2:
        return Likeness(None, "fewer_than_two_words")
    x, y = without_noise(first, share), without_noise(second, share)
    if (x == x[0]).all() or (y == y[0]).all():
        return Likeness(None, "constant_map")
    # Divided by their greatest first: products of very small scores would vanish.
    x, y = (values / np.abs(values).max() for values in (x, y))
    x, y = x - x.mean(), y - y.mean()
    r = float(x @ y / np.sqrt((x @ x) * (y @ y)))
    return Likeness(min(1.0, max(-1.0, r)), "ok")


def mean_likeness(
    pairs: Sequence[Pair], units: Sequence[int], *, replicates: int = REPLICATES, seed: int = 0
) -> Consistency:
    """Mean of Pearson's r over pairs of maps; the interval resamples units with all their pairs.

    units: for each pair the number of what it comes from, such as its input or its template: pairs of one unit share
    maps, so they are no independent evidence.
    """
    found = [likeness(*pair) for pair in pairs]
    kept = [(unit, one.value) for unit, one in zip(units, found, strict=True) if one.value is not None]
    skipped = sum(one.status == "unequal_lengths" for one in found)
    undefined = len(found) - len(kept) - skipped
    if not kept:
        return Consistency(None, None, 0, skipped, undefined, "no_comparable_pair")
    value, ci = mean_over_units([one for _, one in kept], [unit for unit, _ in kept], replicates=replicates, seed=seed)
    return Consistency(value, ci, len(kept), skipped, undefined, "ok")
