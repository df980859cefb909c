"""MACE: who knows and who spams (Hovy et al. 2013, NAACL-HLT, aclanthology.org/N13-1132).

    P(w says l of t with truth k) = q_w [l = k] + (1 - q_w) x_wl
    q_w ~ Beta(1/2, 1/2),  x_w ~ Dirichlet(10, ..., 10),  all labels equally likely beforehand

q_w: the chance that w gives the truth because w knows it; otherwise w draws a label from x_w. Variational Bayes, as the
authors recommend, from the shares of votes and from votes that weigh by a random trust in their workers (`RESTARTS`
times); the highest lower bound wins.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betaln, digamma, gammaln

from analysis.aggregation.estimating import Aggregated, Maximised, maximise
from analysis.aggregation.votes import Votes, normalised
from analysis.arrays import FloatArray

KNOWS = 0.5
SPAMS = 10.0
RESTARTS = 1


class Beliefs(NamedTuple):
    """Counts after the votes: `knows` (workers, 2) of Beta(knows, does not), `says` (workers, labels) of Dirichlet."""

    knows: FloatArray
    says: FloatArray

    @property
    def log_knows(self) -> FloatArray:
        return np.asarray(digamma(self.knows) - digamma(self.knows.sum(axis=1, keepdims=True)))

    @property
    def log_says(self) -> FloatArray:
        return np.asarray(digamma(self.says) - digamma(self.says.sum(axis=1, keepdims=True)))


def mace(votes: Votes, *, seed: int = 0, restarts: int = RESTARTS) -> Aggregated:
    """Competence: the mean of q_w, 0..1. `log_likelihood` is the variational lower bound of the evidence."""
    rng = np.random.default_rng(seed)
    starts = [votes.shares] + [_drawn(votes, rng) for _ in range(restarts)]
    best = max((_climb(votes, start) for start in starts), key=lambda end: end.log_likelihood)
    competence = best.parameters.knows[:, 0] / best.parameters.knows.sum(axis=1)
    return Aggregated(votes, best.posterior, competence, best.iterations, best.converged, best.log_likelihood)


def _drawn(votes: Votes, rng: np.random.Generator) -> FloatArray:
    """Shares of votes that weigh as much as a random trust in their workers."""
    return normalised(votes.by_label(rng.uniform(0.01, 1, len(votes.workers))[votes.worker_of]))


def _climb(votes: Votes, start: FloatArray) -> Maximised[Beliefs]:
    n_workers, n_labels = len(votes.workers), len(votes.labels)
    said = votes.worker_of * n_labels + votes.label_of
    knowing = [np.full(votes.n, 0.5)]  # The chance that a right vote was one of knowledge, at the current beliefs.

    def m_step(posterior: FloatArray) -> Beliefs:
        known = votes.own(posterior) * knowing[0]
        knows = votes.by_worker(known)
        spam = np.bincount(said, 1 - known, minlength=n_workers * n_labels).reshape(n_workers, n_labels).astype(float)
        return Beliefs(np.column_stack([knows, votes.n_by_worker - knows]) + KNOWS, spam + SPAMS)

    def e_step(at: Beliefs) -> FloatArray:
        log_knows = at.log_knows
        spam = (log_knows[:, 1:] + at.log_says).ravel()[said]
        right = np.logaddexp(log_knows[votes.worker_of, 0], spam)
        knowing[0] = np.exp(log_knows[votes.worker_of, 0] - right)
        joint = votes.by_task(spam)[:, None] + votes.by_label(right - spam)
        return np.asarray(joint - np.log(n_labels))

    return maximise(votes, start, m_step, e_step, penalty=_minus_divergence)


def _minus_divergence(at: Beliefs) -> float:
    """-KL of the beliefs from their priors: with it the evidence of the votes becomes the lower bound."""
    n_labels = at.says.shape[1]
    knows = betaln(*at.knows.T) - betaln(KNOWS, KNOWS) - ((at.knows - KNOWS) * at.log_knows).sum(axis=1)
    own = gammaln(at.says).sum(axis=1) - gammaln(at.says.sum(axis=1))
    prior = n_labels * gammaln(SPAMS) - gammaln(n_labels * SPAMS)
    says = own - prior - ((at.says - SPAMS) * at.log_says).sum(axis=1)
    return float(knows.sum() + says.sum())
