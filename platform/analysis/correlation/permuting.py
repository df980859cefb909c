"""p values by permutation that respect what belongs together.

Two null hypotheses. *Within texts*: which method got which score is chance, in every text anew; the texts are the
sample and the methods are these. *Labels*: the methods' names are exchangeable, and a renaming holds in all texts
alike; the methods are the sample, so a difference between methods that is the same in all texts is one observation, not
one a text. p is two-sided: the share of permutations whose correlation is as far from zero, the one seen included.
Source: Fisher 1935, The Design of Experiments, section 21; Manly 2007, Randomization, Bootstrap and Monte Carlo Methods
in Biology.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from math import factorial

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.correlation.coefficients import COEFFICIENTS, correlate_rows

PERMUTATIONS = 999
# All orders of eight methods; of more methods so many are drawn.
ALL_ORDERS = 40_320
MORE_ORDERS = 9_999
# Cells of permuted scores held at a time.
CHUNK_CELLS = 1_000_000
# What rounding in single precision may add to a correlation.
TOLERANCE = 1e-5

# Scores (permutations, texts, methods) to correlations (permutations, metrics, coefficients).
Correlate = Callable[[FloatArray], FloatArray]


def permute_methods(human: FloatArray, metrics: FloatArray, seed: int = 0) -> FloatArray:
    """p of correlations over methods: human (methods,), metrics (metrics, methods) -> (metrics, coefficients).

    Exact up to eight methods, by all orders; of more by MORE_ORDERS. NaN where a correlation is undefined.
    """
    found = np.full((len(metrics), len(COEFFICIENTS)), np.nan)
    for row, metric in enumerate(metrics):
        known = np.isfinite(human) & np.isfinite(metric)
        x, y = human[known], metric[known]
        observed = np.abs(correlate_rows(x, y))
        drawn = np.abs(correlate_rows(x[_orders(len(x), MORE_ORDERS, seed, ALL_ORDERS)], y))
        found[row] = np.where(np.isfinite(observed), (drawn >= observed - 1e-9).mean(axis=0), np.nan)
    return found


def permute_within_texts(
    human: FloatArray, observed: FloatArray, correlate: Correlate, *, draws: int = PERMUTATIONS, seed: int = 0
) -> FloatArray:
    """p of `observed` correlations (metrics, coefficients) where scores change places within each text.

    human: (texts, methods), NaN where unknown, which stays where it is.
    """
    return _share(_shuffled(human, draws, seed), observed, correlate, draws)


def permute_labels(
    human: FloatArray, observed: FloatArray, correlate: Correlate, *, draws: int = PERMUTATIONS, seed: int = 0
) -> FloatArray:
    """p of `observed` correlations (metrics, coefficients) where methods change names, in all texts alike."""
    orders = _orders(human.shape[1], draws, seed, draws)[1:]
    step = max(1, CHUNK_CELLS // max(1, human.size))
    renamed = (human[:, orders[at : at + step]].transpose(1, 0, 2) for at in range(0, len(orders), step))
    return _share(renamed, observed, correlate, len(orders))


def _share(drawn: Iterator[FloatArray], observed: FloatArray, correlate: Correlate, n: int) -> FloatArray:
    least = np.abs(observed) - TOLERANCE
    as_far = sum((np.abs(correlate(human)) >= least).sum(axis=0) for human in drawn)
    return np.where(np.isfinite(observed), (1 + as_far) / (1 + n), np.nan)


def _orders(n: int, draws: int, seed: int, all_up_to: int) -> IntArray:
    """Orders of n things, the given one first: all there are where they are no more than that, else so many draws."""
    if factorial(n) <= all_up_to:
        return np.array(list(permutations(range(n))), dtype=np.int64).reshape(factorial(n), n)
    rng = np.random.default_rng(seed)
    return np.vstack([np.arange(n), rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)])


def _shuffled(human: FloatArray, n: int, seed: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng(seed)
    known = np.isfinite(human)
    # Where the known stand in each text, first; what is unknown is behind, and changes places with nothing known.
    places = np.argsort(~known, axis=1, kind="stable")
    step = max(1, CHUNK_CELLS // max(1, human.size))
    for start in range(0, n, step):
        rows = min(step, n - start)
        order = np.argsort(np.where(known, rng.random((rows, *human.shape)), 2.0), axis=2)
        shuffled = np.empty((rows, *human.shape))
        source = np.take_along_axis(np.broadcast_to(human, order.shape), order, axis=2)
        np.put_along_axis(shuffled, np.broadcast_to(places, order.shape), source, axis=2)
        yield shuffled
