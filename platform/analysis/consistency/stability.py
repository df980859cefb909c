"""Stability of methods of chance: do the maps that other seeds draw of one text rank its words alike?

Source: Kendall 1945, Biometrika 33:239-251 (tau-b); the likeness of maps by tau as in Jain and Wallace 2019
(arXiv 1902.10186).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES
from analysis.consistency.averaging import mean_over_units
from analysis.correlation.pairwise import tau_matrix

Pair = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Stability:
    """The mean tau-b of n pairs of maps; undefined: pairs with fewer than three words in both, or a constant map.

    status: ok, one_seed, no_comparable_pair.
    """

    value: float | None
    ci: tuple[float, float] | None
    n: int
    undefined: int
    status: str


def stability(pairs: Sequence[Pair], units: Sequence[int], *, replicates: int = REPLICATES, seed: int = 0) -> Stability:
    """Mean of Kendall's tau-b over pairs of maps of one text under two seeds; the interval resamples texts.

    pairs: two arrays (words,) each, NaN where a map has no score for the word; units: for each pair the number of its
    text. No pairs at all means that no text was explained under a second seed.
    """
    if not pairs:
        return Stability(None, None, 0, 0, "one_seed")
    taus = [_tau(first, second) for first, second in pairs]
    kept = [(unit, tau) for unit, tau in zip(units, taus, strict=True) if np.isfinite(tau)]
    undefined = len(pairs) - len(kept)
    if not kept:
        return Stability(None, None, 0, undefined, "no_comparable_pair")
    value, ci = mean_over_units([tau for _, tau in kept], [unit for unit, _ in kept], replicates=replicates, seed=seed)
    return Stability(value, ci, len(kept), undefined, "ok")


def _tau(first: FloatArray, second: FloatArray) -> float:
    return float(tau_matrix(np.stack([first, second]))[0, 1]) if len(first) == len(second) else float("nan")
