"""Majority vote: the label with the most votes.

Ties go to the first of the tied labels in ascending order (numbers by size, words by letter), as numpy's argmax has it;
`Aggregated.n_tied` counts them. The verdict of a top-k cell has another rule, where a tie is not recognised: see
analysis/scoring/voting.py.
"""

from analysis.aggregation.estimating import Aggregated
from analysis.aggregation.votes import Votes


def majority(votes: Votes, *, seed: int = 0) -> Aggregated:
    """Posterior: the share of the task's votes. Competence: the mean of `votes.agreement`."""
    return Aggregated(votes, votes.shares, votes.by_worker(votes.agreement) / votes.n_by_worker)
