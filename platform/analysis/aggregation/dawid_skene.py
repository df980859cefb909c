"""Dawid and Skene 1979, Journal of the Royal Statistical Society C 28:20-28 (doi.org/10.2307/2346806).

    P(votes of t, truth k) = p_k prod over votes (w, l) of t of pi_wkl

pi_wkl: the chance that worker w says l where the truth is k. Maximum likelihood by EM from the shares of votes.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from analysis.aggregation.estimating import Aggregated, bounded, maximise
from analysis.aggregation.votes import Votes, check_size
from analysis.arrays import FloatArray


class Confusions(NamedTuple):
    """`prior` (labels,) p_k; `said` (workers, labels said, true labels) pi."""

    prior: FloatArray
    said: FloatArray


def dawid_skene(votes: Votes, *, seed: int = 0) -> Aggregated:
    """Competence: the chance that the worker is right, sum_k p_k pi_wkk. Raises TooManyLabelsError."""
    n_workers, n_labels = len(votes.workers), len(votes.labels)
    check_size(n_workers * n_labels**2, votes)
    counts = csr_array(
        (np.ones(votes.n), (votes.task_of, votes.worker_of * n_labels + votes.label_of)),
        shape=(len(votes.tasks), n_workers * n_labels),
    )
    turned = counts.T.tocsr()

    def m_step(posterior: FloatArray) -> Confusions:
        said = np.asarray(turned @ posterior).reshape(n_workers, n_labels, n_labels)
        of_truth = said.sum(axis=1, keepdims=True)
        # A worker who never met a label says nothing of how they would name it.
        known = np.divide(said, of_truth, out=np.full_like(said, 1 / n_labels), where=of_truth > 0)
        return Confusions(bounded(posterior.mean(axis=0)), bounded(known))

    def e_step(at: Confusions) -> FloatArray:
        return np.asarray(np.log(at.prior) + counts @ np.log(at.said).reshape(-1, n_labels))

    end = maximise(votes, votes.shares, m_step, e_step)
    competence = np.einsum("k,wkk->w", end.parameters.prior, end.parameters.said)
    return Aggregated(votes, end.posterior, competence, end.iterations, end.converged, end.log_likelihood)
