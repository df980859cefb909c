"""How long it takes to set people against metrics, and whether its intervals hold what they promise.

python benchmarks/correlation.py time        # 8 methods, 1,000 texts, 10 metrics, 2,000 resamples
python benchmarks/correlation.py coverage    # of 95 % intervals, in simulated studies of new texts and workers
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "platform"))

from analysis.correlation.coefficients import COEFFICIENTS
from analysis.correlation.halving import Judged, halves_of_judgments
from analysis.correlation.pooled import pooled
from analysis.correlation.relating import HIGHER, over_explanations, over_methods
from analysis.correlation.reliability import EXPLANATIONS, METHODS, WITHIN, measure_reliability
from analysis.correlation.within import within_texts
from analysis.scoring.drawing import draw, observe
from analysis.scoring.people import Means, means_of

Made = tuple[pd.DataFrame, np.ndarray]


def study(rng: np.random.Generator, texts: int, methods: int, votes: int, workers: int, leniency: float) -> Made:
    """Ratings of explanations that are better or worse, and a metric that sees half of that."""
    worth = rng.normal(size=(texts, methods)) + np.linspace(0.6, -0.6, methods)
    text, method = (index.ravel().repeat(votes) for index in np.indices(worth.shape))
    # A worker meets a text once, as in a campaign.
    order = rng.permuted(np.tile(np.arange(workers), (texts, 1)), axis=1)[:, : methods * votes].ravel()
    mood = leniency * rng.normal(size=workers)
    rating = 3 + worth[text, method] + mood[order] + rng.normal(size=len(text))
    rows = {"text": text.astype(str), "method": method.astype(str), "worker": order.astype(str)}
    metric = 0.5 * worth + rng.normal(size=worth.shape)
    names = np.argsort(np.arange(texts).astype(str)), np.argsort(np.arange(methods).astype(str))
    return pd.DataFrame(rows | {"score": np.clip(np.round(rating), 1, 5)}), metric[np.ix_(*names)]


def cover(studies: int, leniency: float, votes: int) -> Iterator[str]:
    """Studies of 30 texts, 5 methods and 30 workers; what is to be covered is the mean over 2,000 others like them."""
    rng = np.random.default_rng(1)
    design: dict[str, Any] = {"texts": 30, "methods": 5, "votes": votes, "workers": 30, "leniency": leniency}
    others = []
    for _ in range(2000):
        judgments, metric = study(rng, **design)
        human = means_of(judgments).by_text(np.ones((1, 30)))[0]
        others.append([pooled(human, metric), within_texts(human, metric[..., None])[0][0]])
    targets = np.mean(others, axis=0)
    held = np.zeros((2, 3))
    widths = np.zeros((2, 3))
    for _study in range(studies):
        judgments, metric = study(rng, **design)
        for at, level in enumerate(over_explanations(means_of(judgments), metric[..., None], [HIGHER], replicates=400)):
            low, high = level.ci[:, 0]
            held[at] += (low <= targets[at]) & (targets[at] <= high)
            widths[at] += high - low
    for at, over in enumerate((EXPLANATIONS, WITHIN)):
        for place, name in enumerate(COEFFICIENTS):
            told = f"covers {targets[at][place]:.3f} in {held[at][place] / studies:.1%}"
            yield f"{over:25s} {name:14s} {told}, mean width {widths[at][place] / studies:.3f}"


def clock(texts: int) -> Iterator[str]:
    """Each step on ratings by five workers of each of `texts` x 8 explanations, against ten metrics."""
    rng = np.random.default_rng(0)
    judgments, metric = study(rng, texts, 8, 5, 400, 0.3)
    metrics, better = np.stack([metric + rng.normal(size=metric.shape) for _ in range(10)], axis=-1), [HIGHER] * 10
    people: Means = means_of(judgments)
    started = time.perf_counter()

    def lap(what: str) -> str:
        nonlocal started
        told = f"{what:45s} {time.perf_counter() - started:6.2f} s"
        started = time.perf_counter()
        return told

    drawn = draw(people)
    yield lap("scores of methods, resampled")
    over_methods((observe(people), drawn), metrics, better)
    yield lap("over methods, with p")
    over_explanations(people, metrics, better)
    yield lap("over explanations, with intervals and p")
    place = people.cells.cell
    every = np.arange(len(place))
    halves = halves_of_judgments(Judged(place, people.cells.worker, every, place, people.score, (texts, 8)))
    yield lap("halves of the judgments")
    for over in (METHODS, EXPLANATIONS, WITHIN):
        measure_reliability(halves, over)
        yield lap(f"reliability over {over}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("time", "coverage"))
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--studies", type=int, default=400)
    options = parser.parse_args()
    if options.what == "time":
        for line in clock(options.texts):
            print(line, flush=True)
        return
    for leniency, votes in ((0.0, 3), (0.8, 3), (0.8, 5)):
        print(f"leniency {leniency}, {votes} judgments an explanation, {options.studies} studies")
        for line in cover(options.studies, leniency, votes):
            print("  " + line, flush=True)


if __name__ == "__main__":
    main()
