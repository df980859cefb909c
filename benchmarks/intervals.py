"""What intervals over texts and workers cost, and whether they hold: seconds, memory, and coverage over made studies.

    python benchmarks/intervals.py cost [--texts 200] [--workers 800] [--replicates 2000] [--protocol majority|mean]
    python benchmarks/intervals.py coverage [--studies 400] [--replicates 400] [--texts 60] [--workers 30]

`cost`: eight methods, five ks and five votes a cell, so that 200 texts are 40,000 judgments and 5,000 are a million.
`coverage`: how often a 95 per cent interval holds the value that endless texts and workers would give, and how wide it
is, for the interval of `analysis.scoring.drawing` and for the crossed and the by-text bootstrap as they come. Right
answers follow a logit with random effects of texts, of workers, of both or of neither; two methods at one k, five
votes. Of 400 studies a true 95 per cent is found between 92.9 and 97.1.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from analysis.arrays import FloatArray  # noqa: E402
from analysis.bootstrap import bootstrap, crossed_bootstrap, percentile_interval  # noqa: E402
from analysis.scoring.drawing import draw, observe  # noqa: E402
from analysis.scoring.people import People, majorities_of, means_of  # noqa: E402

EFFECTS = {"neither": (0.0, 0.0), "texts": (1.0, 0.0), "workers": (0.0, 1.0), "both": (1.0, 1.0)}
METHOD = 0.6
MANY = 200_000


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    cost = commands.add_parser("cost")
    cost.add_argument("--texts", type=int, default=200)
    cost.add_argument("--workers", type=int, default=800)
    cost.add_argument("--replicates", type=int, default=2000)
    cost.add_argument("--protocol", choices=("majority", "mean"), default="majority")
    coverage = commands.add_parser("coverage")
    coverage.add_argument("--studies", type=int, default=400)
    coverage.add_argument("--replicates", type=int, default=400)
    coverage.add_argument("--texts", type=int, default=60)
    coverage.add_argument("--workers", type=int, default=30)
    options = parser.parse_args(arguments)
    tell_cost(options) if options.command == "cost" else tell_coverage(options)


def tell_cost(options: argparse.Namespace) -> None:
    judgments = made(0, options.texts, options.workers, methods=8, ks=5)
    people = majorities_of(judgments) if options.protocol == "majority" else means_of(judgments)
    print(f"{len(judgments):,} judgments, {people.cells.size:,} cells, {options.replicates:,} replicates")
    counts = len(people.texts), len(people.workers)
    once = {"size": people.size, "replicates": options.replicates}
    works: dict[str, Callable[[], FloatArray]] = {
        "crossed bootstrap of scores": lambda: crossed_bootstrap(people.scores, *counts, **once),
        "scores, placed and spread": lambda: draw(people, replicates=options.replicates),
        "differences of all pairs": lambda: draw(people, apart, replicates=options.replicates),
    }
    for name, work in works.items():
        began, busy = time.perf_counter(), time.process_time()
        work()
        passed, worked = time.perf_counter() - began, time.process_time() - busy
        print(f"{name:<30} {worked:8.2f} s of CPU {passed:8.2f} s", flush=True)
    print(f"{'memory, at most':<30} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


def apart(people: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
    return people.differences(texts, workers)


def tell_coverage(options: argparse.Namespace) -> None:
    print(
        f"{'effects':<8} {'of':<9} {'score':<11} {'placed':>14} {'crossed':>14} {'by text':>14}   (held %, mean width)"
    )
    for effects, sizes in EFFECTS.items():
        for kind in ("mean", "majority"):
            held, widths = np.zeros((2, 3, 2)), np.zeros((2, 3, 2))
            true = truth(kind, sizes, 5)
            for seed in range(options.studies):
                judgments = made(seed, options.texts, options.workers, effects=sizes)
                people = majorities_of(judgments, "uniform") if kind == "majority" else means_of(judgments)
                low, high = np.moveaxis(intervals(people, options.replicates, seed), 1, 0)
                held += ((low <= true) & (true <= high))[None]
                widths += (high - low)[None]
            for at, score in enumerate(("method", "difference")):
                told = (f"{held[0, way, at] / options.studies:7.1%} {widths[0, way, at] / options.studies:.3f}"
                        for way in range(3))  # fmt: skip
                print(f"{effects:<8} {kind:<9} {score:<11} " + "  ".join(f"{one:>13}" for one in told), flush=True)


def intervals(people: People, replicates: int, seed: int) -> FloatArray:
    """(ways, ends, scores): of the first method, and of the second less the first."""

    def summary(found: People, texts: FloatArray, workers: FloatArray) -> FloatArray:
        scores = found.scores(texts, workers)
        return np.column_stack([scores[:, 0], scores[:, 1] - scores[:, 0]])

    counts = len(people.texts), len(people.workers)
    options = {"replicates": replicates, "seed": seed}
    known = people.as_they_are()
    ways = (
        draw(people, summary, **options),
        crossed_bootstrap(lambda texts, workers: summary(people, texts, workers), *counts, **options),
        bootstrap(lambda texts: summary(known, texts, np.ones((len(texts), counts[1]))), counts[0], **options),
    )
    assert np.allclose(ways[0].mean(axis=0), observe(people, summary))
    return np.stack([percentile_interval(drawn) for drawn in ways])


def made(
    seed: int,
    texts: int,
    workers: int,
    *,
    methods: int = 2,
    ks: int = 1,
    votes: int = 5,
    effects: Sequence[float] = (1, 1),
) -> pd.DataFrame:
    """Guesses by workers drawn for each cell: none twice in one cell, and most in several."""
    rng = np.random.default_rng(seed)
    shape = (texts, methods, ks, votes)
    text, method, k, vote = np.indices(shape).reshape(4, -1)
    start = rng.integers(0, workers, size=shape[:3])[text, method, k]
    worker = (start + vote * (workers // votes) + rng.integers(0, max(1, workers // votes), len(text))) % workers
    logit = (
        METHOD * (method + 1)
        - 0.3
        + rng.normal(0, effects[0], texts)[text]
        + rng.normal(0, effects[1], workers)[worker]
    )
    right = rng.random(len(text)) < 1 / (1 + np.exp(-logit))
    label = np.where(right, "good", np.where(rng.random(len(text)) < 0.5, "bad", "cannot_tell"))
    columns = {"text": text, "method": method, "k": 5 * (k + 1), "worker": worker, "label": label, "expected": "good"}
    return pd.DataFrame({**columns, "score": right.astype(float)})


def truth(kind: str, effects: Sequence[float], votes: int) -> FloatArray:
    """Of endless texts and workers: the first method's score, and the second's less the first's."""
    rng = np.random.default_rng(1)
    scores = []
    for method in (1, 2):
        text, worker = rng.normal(0, effects[0], (MANY, 1)), rng.normal(0, effects[1], (MANY, votes))
        right = rng.random((MANY, votes)) < 1 / (1 + np.exp(-(METHOD * method - 0.3 + text + worker)))
        if kind == "mean":
            scores.append(right.mean())
            continue
        bad = ~right & (rng.random((MANY, votes)) < 0.5)
        n_right, n_bad = right.sum(axis=1), bad.sum(axis=1)
        scores.append((n_right > np.maximum(n_bad, votes - n_right - n_bad)).mean())
    return np.array([scores[0], scores[1] - scores[0]])


if __name__ == "__main__":
    main()
