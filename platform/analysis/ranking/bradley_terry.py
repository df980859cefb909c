"""Strengths of methods from comparisons of two: Bradley and Terry's model with ties and a preference for a side.

Of a first method i and a second j, with strengths pi, a readiness for ties nu and a preference gamma for the left side,

    first won : second won : tie  =  pi_i gamma^[i left]  :  pi_j gamma^[j left]  :  nu sqrt(pi_i pi_j)

Sources: Bradley and Terry 1952, Biometrika 39:324-345; Davidson 1970, JASA 65:317-328 (ties); Davidson and Beaver 1977,
Biometrics 33:693-702 (order). An answer ranks two maps, so that Plackett and Luce's model is the same one.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from analysis.arrays import FloatArray, IntArray

FIRST_WON, SECOND_WON, TIE = range(3)
STEPS, LONGEST, ENOUGH = 60, 2.0, 1e-9
# A strength is e^|x|: what lies beyond is not estimated, it grows with every step.
FAR = 15.0


@dataclass(frozen=True)
class Contests:
    """First and second method of each contest, by number, and the side of the first: 1 left, -1 right, 0 unknown."""

    first: IntArray
    second: IntArray
    side: IntArray
    n_methods: int


@dataclass(frozen=True)
class Strengths:
    """Logarithms, of each replicate: strengths (replicates, methods), summing to 0; ties and side (replicates,).

    NaN for ties where there are none, and for the side where it is not known.
    """

    strengths: FloatArray
    ties: FloatArray
    side: FloatArray


def fit(contests: Contests, counts: FloatArray, *, ridge: float = 0.0) -> Strengths:
    """Maximum likelihood by Newton's method, of all replicates at once.

    counts: (replicates, contests, 3), how often the first won, the second won, and neither. `status_of` says where the
    maximum exists. ridge: the penalty ridge / 2 * sum x^2 on logarithms, which keeps them finite where it does not.
    """
    features, used = _features(contests, counts)
    n = counts.sum(axis=2)
    x = np.zeros((len(counts), features.shape[-1]))
    # Strengths matter by their differences alone: their sum is held at 0.
    fixed = np.outer(used[: contests.n_methods], used[: contests.n_methods]).astype(float)
    penalty = ridge * np.eye(x.shape[1]) + np.diag((~used).astype(float))
    penalty[: contests.n_methods, : contests.n_methods] += fixed
    for _ in range(STEPS):
        p = _chances(x, features, with_ties=bool(used[-2]))
        excess = counts - n[..., None] * p
        gradient = np.einsum("rco,cof->rf", excess, features) - x @ penalty
        mean = np.einsum("rco,cof->rcf", p, features)
        second = np.einsum("rc,rco,cof,cog->rfg", n, p, features, features, optimize=True)
        hessian = (
            second - np.einsum("rc,rcf,rcg->rfg", n, mean, mean, optimize=True) + penalty + 1e-12 * np.eye(x.shape[1])
        )
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        x = x + step * np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        if np.abs(step).max() < ENOUGH:
            break
    unknown = np.where(used, 0.0, np.nan)
    strengths = x[:, : contests.n_methods]
    return Strengths(strengths - strengths.mean(axis=1, keepdims=True), x[:, -2] + unknown[-2], x[:, -1] + unknown[-1])


def status_of(contests: Contests, counts: FloatArray) -> str:
    """Whether strengths can be estimated from counts (contests, 3).

    status: ok, not_connected, never_beaten, only_ties, one_sided.

    Not connected: methods fall into groups that were never compared with each other. Never beaten: some methods won
    against all others whenever they met, so that their strength has no bound (Ford 1957, American Mathematical Monthly
    64:28-33). Only ties: nobody ever preferred one. One-sided: the left, or the right, was always preferred.
    """
    wins = counts.sum(axis=0)
    if wins.sum() == 0 or contests.n_methods < 2:
        return "not_connected"
    if not wins[:TIE].sum():
        return "only_ties"
    beaten = np.zeros((contests.n_methods, contests.n_methods))
    np.add.at(beaten, (contests.first, contests.second), counts[:, FIRST_WON] + counts[:, TIE])
    np.add.at(beaten, (contests.second, contests.first), counts[:, SECOND_WON] + counts[:, TIE])
    graph = csr_array(beaten)
    if connected_components(graph, connection="weak")[0] > 1:
        return "not_connected"
    if connected_components(graph, connection="strong")[0] > 1:
        return "never_beaten"
    side = fit(contests, counts[None]).side[0]
    return "one_sided" if abs(side) > FAR else "ok"


def win_chances(strengths: FloatArray) -> FloatArray:
    """Mean over the other methods of the chance to win, ties and sides aside: (replicates, methods), in 0..1.

    mean over j of pi_i / (pi_i + pi_j), from log strengths (replicates, methods).
    """
    methods = strengths.shape[1]
    chances = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
    return np.asarray((chances.sum(axis=2) - 0.5) / (methods - 1))


def _features(contests: Contests, counts: FloatArray) -> tuple[FloatArray, np.ndarray]:
    """What the logarithm of each outcome's chance is a sum of, (contests, outcomes, parameters), and which are used.

    Parameters: the methods' strengths, then ties, then the side.
    """
    n = len(contests.first)
    features = np.zeros((n, 3, contests.n_methods + 2))
    at = np.arange(n)
    for outcome, first, second in ((FIRST_WON, 1.0, 0.0), (SECOND_WON, 0.0, 1.0), (TIE, 0.5, 0.5)):
        features[at, outcome, contests.first] += first
        features[at, outcome, contests.second] += second
    features[:, TIE, -2] = 1.0
    features[:, FIRST_WON, -1] = contests.side == 1
    features[:, SECOND_WON, -1] = contests.side == -1
    used = np.ones(contests.n_methods + 2, dtype=bool)
    used[-2:] = counts[..., TIE].any(), (contests.side != 0).any()
    return features * used, used


def _chances(x: FloatArray, features: FloatArray, *, with_ties: bool) -> FloatArray:
    logs = np.einsum("rf,cof->rco", x, features)
    if not with_ties:
        logs[..., TIE] = -np.inf
    exponentials = np.exp(logs - logs.max(axis=2, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=2, keepdims=True))
