"""Which methods differ by their mean ranks: Nemenyi's test after Friedman's, for the critical-difference diagram."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata, studentized_range

from analysis.arrays import FloatArray


@dataclass(frozen=True)
class CriticalDifference:
    """Mean ranks of methods (1 is best) over n texts; two that lie less than `difference` apart are not told apart.

    groups: numbers of methods, each a largest set within which none are told apart, best first; none of one alone.
    p: (methods, methods), of each pair, already allowing for all pairs.
    """

    mean_ranks: FloatArray
    difference: float
    n: int
    groups: list[list[int]]
    p: FloatArray


def nemenyi(scores: FloatArray, alpha: float = 0.05) -> CriticalDifference | None:
    """Critical difference CD = q sqrt(k (k + 1) / (6 n)) of mean ranks, k methods on n texts.

    q is the (1 - alpha) point of the studentized range of k means with infinite degrees of freedom, over sqrt 2.
    scores: (texts, methods), higher is better, ties share the mean rank; texts with a missing score are left out.
    None of fewer than two methods or texts. Read it where Friedman's test finds a difference; texts count as
    independent. Source: Nemenyi 1963; Demsar 2006, JMLR 7:1-30.
    """
    whole = scores[np.isfinite(scores).all(axis=1)]
    n, k = whole.shape
    if k < 2 or n < 2:
        return None
    mean_ranks = np.asarray(rankdata(-whole, axis=1).mean(axis=0), dtype=float)
    unit = np.sqrt(k * (k + 1) / (6 * n))
    apart = np.abs(mean_ranks[:, None] - mean_ranks[None, :])
    p = np.asarray(studentized_range.sf(apart / unit * np.sqrt(2), k, np.inf), dtype=float)
    difference = float(critical_value(k, alpha) * unit)
    return CriticalDifference(mean_ranks, difference, n, _groups(mean_ranks, difference), np.clip(p, 0.0, 1.0))


def critical_value(k: int, alpha: float = 0.05) -> float:
    """q of Demsar 2006, table 5: of 2 methods 1.960, of 3 2.343, of 4 2.569, of 10 3.164."""
    return float(studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2))


def _groups(mean_ranks: FloatArray, difference: float) -> list[list[int]]:
    """Runs in the order of ranks, from each method as far down as the difference reaches; those within another not."""
    order = np.argsort(mean_ranks, kind="stable")
    ordered = mean_ranks[order]
    ends = np.searchsorted(ordered, ordered + difference, side="left")
    groups, reached = [], 0
    for start, end in enumerate(ends):
        if end > max(reached, start + 1):
            groups.append([int(at) for at in order[start:end]])
        reached = max(reached, int(end))
    return groups
