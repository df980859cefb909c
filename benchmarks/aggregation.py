"""Seconds and memory of every aggregation on many votes, and how many labels and workers each one finds.

    python benchmarks/aggregation.py [--tasks 200000] [--votes 5] [--workers 2000] [--labels 4] [--spammers 0.3]

Tasks have even labels. A worker knows a task with a chance of their own, drawn from Beta(6, 2), and errs evenly among
the other labels; of spammers every answer is a draw from a preference of their own. Printed beside seconds: the share
of tasks whose label is found, and the rank correlation of competence with the worker's true chance to be right.
Memory is the peak of the whole process so far (ru_maxrss), so read down the column. Run it alone, with
OMP_NUM_THREADS=1: what it leaves to BLAS is too small to share.
"""

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from analysis.aggregation.registry import AGGREGATIONS  # noqa: E402
from analysis.aggregation.votes import read_votes  # noqa: E402
from analysis.arrays import FloatArray, IntArray  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("tasks", 200_000), ("votes", 5), ("workers", 2000), ("labels", 4), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--spammers", type=float, default=0.3)
    options = parser.parse_args(arguments)
    frame, truth, right = crowd(options)
    started = time.perf_counter()
    votes = read_votes(frame)
    print(f"{votes.n:,} votes read in {time.perf_counter() - started:.2f} s, {memory()} MB")
    print(f"{'aggregation':22} {'seconds':>7} {'MB':>6} {'steps':>5}  end  {'labels':>6} {'workers':>7}")
    for name, aggregation in AGGREGATIONS.items():
        started = time.perf_counter()
        found = aggregation.aggregate(votes, seed=options.seed)
        seconds = time.perf_counter() - started
        labels = np.mean(votes.labels.to_numpy()[found.chosen] == truth[votes.tasks.to_numpy()])
        workers = spearmanr(found.competence, right[votes.workers.to_numpy()]).statistic
        end = "yes" if found.converged else "no"
        print(f"{name:22} {seconds:7.2f} {memory():6} {found.iterations:5} {end:>4}  {labels:6.4f} {workers:7.3f}")


def crowd(options: argparse.Namespace) -> tuple[pd.DataFrame, IntArray, FloatArray]:
    """The votes, each task's label, and each worker's chance to be right."""
    rng = np.random.default_rng(options.seed)
    n, k = options.tasks * options.votes, options.labels
    truth = rng.integers(k, size=options.tasks)
    spams = rng.random(options.workers) < options.spammers
    right = np.where(spams, 1 / k, rng.beta(6, 2, options.workers))
    tastes = rng.dirichlet(np.ones(k), options.workers).cumsum(axis=1)
    task, worker = np.repeat(np.arange(options.tasks), options.votes), rng.integers(options.workers, size=n)
    wrong = (truth[task] + rng.integers(1, max(k, 2), size=n)) % k
    honest = np.where(rng.random(n) < right[worker], truth[task], wrong)
    spam = np.minimum((rng.random(n)[:, None] > tastes[worker]).sum(axis=1), k - 1)
    label = np.where(spams[worker], spam, honest)
    return pd.DataFrame({"task": task, "worker": worker, "label": label}), truth, right


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
