"""GLAD: able workers and difficult tasks (Whitehill et al. 2009, NIPS 22:2035-2043).

    P(w is right on t) = s(a_w b_t),  s the logistic function,  b_t = exp(c_t) > 0; wrong labels are equally likely
    a_w ~ N(1, 1),  c_t ~ N(1, 1),  all labels equally likely beforehand

The authors climb by EM with a gradient M step. Here the marginal posterior itself is climbed by L-BFGS: by Fisher's
identity its gradient is that of the M step at the current posterior, so both end at the same points, and this sooner.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from analysis.aggregation.estimating import ITERATIONS, Aggregated, weigh
from analysis.aggregation.votes import Votes
from analysis.arrays import FloatArray


def glad(votes: Votes, *, seed: int = 0) -> Aggregated:
    """Competence: ability a_w, any number: 0 is guessing, below 0 is worse than that."""
    n_workers, n_labels = len(votes.workers), len(votes.labels)

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        joint, right = _joint(votes, at)
        posterior, evidence = weigh(joint)
        surprise = votes.own(posterior) - right
        ability, ease = at[:n_workers], np.exp(at[n_workers:])
        by_task = ease * votes.by_task(surprise * ability[votes.worker_of])
        slope = np.r_[votes.by_worker(surprise * ease[votes.task_of]), by_task] - (at - 1)
        height = evidence - ((at - 1) ** 2).sum() / 2
        return -height / votes.n, -slope / votes.n

    start = np.ones(n_workers + len(votes.tasks))
    end = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS, "ftol": 1e-8})
    posterior, evidence = weigh(_joint(votes, end.x)[0])
    likelihood = evidence - len(votes.tasks) * float(np.log(n_labels))
    return Aggregated(votes, posterior, end.x[:n_workers], int(end.nit), bool(end.success), likelihood)


def _joint(votes: Votes, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log-likelihood of each task's votes by its label (tasks, labels), and (n,) the chance that each vote is right."""
    n_workers, others = len(votes.workers), np.log(max(len(votes.labels) - 1, 1))
    odds = at[votes.worker_of] * np.exp(at[n_workers:])[votes.task_of]
    wrong = log_expit(-odds) - others
    return votes.by_task(wrong)[:, None] + votes.by_label(odds + others), expit(odds)
