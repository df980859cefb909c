"""The one-coin model of Dawid and Skene: a worker is right by one chance, and wrong labels are equally likely.

    P(votes of t, truth k) = p_k prod over votes (w, l) of t of  a_w where l = k,  (1 - a_w) / (K - 1) where not

Maximum likelihood by EM from the shares of votes. Source: Dawid and Skene 1979 (doi.org/10.2307/2346806) with confusion
matrices of one parameter, as in Zhang et al. 2016, Journal of Machine Learning Research 17(102):1-44, section 3.3.
"""

from typing import NamedTuple

import numpy as np

from analysis.aggregation.estimating import Aggregated, bounded, maximise
from analysis.aggregation.votes import Votes
from analysis.arrays import FloatArray


class Coins(NamedTuple):
    """`prior` (labels,) p_k; `right` (workers,) a_w."""

    prior: FloatArray
    right: FloatArray


def dawid_skene_one_coin(votes: Votes, *, seed: int = 0) -> Aggregated:
    """Competence: a_w, the chance that the worker is right, 0..1."""
    others = max(len(votes.labels) - 1, 1)

    def m_step(posterior: FloatArray) -> Coins:
        right = votes.by_worker(votes.own(posterior)) / votes.n_by_worker
        return Coins(bounded(posterior.mean(axis=0)), bounded(right))

    def e_step(at: Coins) -> FloatArray:
        wrong = np.log((1 - at.right) / others)
        gain = np.log(at.right) - wrong
        base = votes.by_task(wrong[votes.worker_of])
        return np.asarray(np.log(at.prior) + base[:, None] + votes.by_label(gain[votes.worker_of]))

    end = maximise(votes, votes.shares, m_step, e_step)
    competence = end.parameters.right
    return Aggregated(votes, end.posterior, competence, end.iterations, end.converged, end.log_likelihood)
