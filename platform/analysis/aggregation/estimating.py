"""What an aggregation gives back, and the EM iterations that several share.

Source of EM: Dempster, Laird and Rubin 1977, Journal of the Royal Statistical Society B 39:1-38.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from analysis.aggregation.votes import TIE, Votes, choose
from analysis.arrays import FloatArray, IntArray

ITERATIONS = 1000
# EM has converged where an iteration raises the log-likelihood by less than this a vote.
TOLERANCE = 1e-7
# The smallest probability: no single vote makes a label impossible for good.
LEAST = 1e-10

Parameters = TypeVar("Parameters")


@dataclass(frozen=True)
class Aggregated:
    """The labels of all tasks by one aggregation.

    posterior: (tasks, labels), rows sum to 1. competence: (workers,), on the scale its registry entry states.
    log_likelihood: natural logarithm, of all votes; None where the aggregation is no model. iterations: 0 where it
    has none. converged: whether it stopped by itself and not at the limit.
    """

    votes: Votes
    posterior: FloatArray
    competence: FloatArray
    iterations: int = 0
    converged: bool = True
    log_likelihood: float | None = None

    @property
    def chosen(self) -> IntArray:
        """(tasks,) place of the likeliest label in `votes.labels`; of labels that tie the first."""
        return choose(self.posterior)

    @property
    def n_tied(self) -> int:
        """Tasks where the tie rule decided."""
        highest = self.posterior.max(axis=1, keepdims=True)
        return int(((self.posterior >= highest - TIE).sum(axis=1) > 1).sum())


@dataclass(frozen=True)
class Maximised(Generic[Parameters]):
    """Where EM ended."""

    posterior: FloatArray
    parameters: Parameters
    iterations: int
    converged: bool
    log_likelihood: float


def maximise(
    votes: Votes,
    start: FloatArray,
    m_step: Callable[[FloatArray], Parameters],
    e_step: Callable[[Parameters], FloatArray],
    *,
    iterations: int = ITERATIONS,
    penalty: Callable[[Parameters], float] | None = None,
) -> Maximised[Parameters]:
    """EM from a first posterior (tasks, labels).

    m_step: posterior -> parameters. e_step: parameters -> log joint probability (tasks, labels) of the task's votes and
    each label. penalty: what is added to the log-likelihood where parameters have priors.
    """
    posterior, before = start, -np.inf
    for iteration in range(1, iterations + 1):
        parameters = m_step(posterior)
        joint = e_step(parameters)
        posterior, evidence = weigh(joint)
        reached = evidence + (penalty(parameters) if penalty else 0.0)
        if reached - before < TOLERANCE * votes.n:
            return Maximised(posterior, parameters, iteration, True, reached)
        before = reached
    return Maximised(posterior, parameters, iterations, False, reached)


def weigh(joint: FloatArray) -> tuple[FloatArray, float]:
    """Posterior (tasks, labels) and log evidence, summed over tasks, of log joint probabilities (tasks, labels)."""
    highest = joint.max(axis=1, keepdims=True)
    raised = np.exp(joint - highest)
    sums = raised.sum(axis=1, keepdims=True)
    return raised / sums, float((highest + np.log(sums)).sum())


def bounded(probabilities: FloatArray) -> FloatArray:
    """Probabilities away from 0 and 1 by LEAST."""
    return np.clip(probabilities, LEAST, 1 - LEAST)
