"""Worker agreement with aggregate: a majority vote where each vote weighs as its worker's agreement with the majority.

    skill_w = share of w's votes for the majority's label; a vote for one of m tied labels counts 1/m
    score_tl = sum of skill_w over the votes of task t for label l

Source: Appen's "Worker Agreement With Aggregate", as documented in crowd-kit (Ustalov et al. 2024, JOSS 9(96):6227).
"""

import numpy as np

from analysis.aggregation.estimating import Aggregated
from analysis.aggregation.votes import Votes, normalised


def wawa(votes: Votes, *, seed: int = 0) -> Aggregated:
    """Posterior: share of the task's weighted votes. Competence: the skill, 0..1.

    A task all of whose workers have no skill keeps its unweighted shares. Ties as in the majority vote.
    """
    skill = votes.by_worker(votes.agreement) / votes.n_by_worker
    scores = votes.by_label(skill[votes.worker_of])
    scores = np.where(scores.sum(axis=1, keepdims=True) > 0, scores, votes.shares)
    return Aggregated(votes, normalised(scores), skill)
