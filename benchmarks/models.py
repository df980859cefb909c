"""How often the mixed models' intervals hold what they promise, and how long fits take.

    python benchmarks/models.py coverage [--studies 300] [--groups 24,60] [--model linear,logistic,ordinal]
    python benchmarks/models.py seconds [--sizes 5000x100x100,20000x400x500,100000x2500x1000]

coverage: studies made up with known effects and differences between workers (deviation 0.8) and texts (1.0), ten
judgments a text. `x` varies from judgment to judgment, `method` too, and `side` goes by the text, so that its interval
has to know how much texts differ. Printed: the share of 95 % intervals that hold the true effect, and its Monte-Carlo
error. seconds: judgments x workers x texts, with eight methods and one number. Run it alone, with OMP_NUM_THREADS=1.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from analysis.modelling.design import Term, build_design  # noqa: E402
from analysis.modelling.registry import MODELS  # noqa: E402

TERMS = [Term("x", is_number=True), Term("side", reference="even"), Term("method", reference="m0")]
ANSWERS = {"linear": "points", "logistic": "right", "ordinal": "rating"}
EFFECT, PER_METHOD = 0.5, 0.5
OF_WORKERS, OF_TEXTS = 0.8, 1.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("coverage", "seconds"))
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--groups", default="24,60")
    parser.add_argument("--model", default=",".join(MODELS))
    parser.add_argument("--sizes", default="5000x100x100,20000x400x500,100000x2500x1000")
    options = parser.parse_args(arguments)
    models = options.model.split(",")
    if options.what == "coverage":
        for model in models:
            for groups in map(int, options.groups.split(",")):
                print(coverage(model, groups, options.studies), flush=True)
        return
    for size in options.sizes.split(","):
        for model in models:
            print(seconds(model, *map(int, size.split("x"))), flush=True)


def coverage(model: str, groups: int, studies: int) -> str:
    held, failed = [], 0
    for seed in range(studies):
        fit = MODELS[model].fit(build_design(study(10 * groups, groups, groups, 2, seed), ANSWERS[model], TERMS))
        if fit.status != "ok":
            failed += 1
            continue
        truth = EFFECT * (fit.effects[0].column.spread or np.nan), 0.0, PER_METHOD
        held.append([low < true < high for true, (low, high) in zip(truth, (e.ci for e in fit.effects), strict=True)])
    shares = np.mean(held, axis=0)
    error = np.sqrt(0.95 * 0.05 / len(held))
    names = zip(("x", "side", "method"), shares, strict=True)
    told = "  ".join(f"{name} {share:.3f}" for name, share in names)
    return f"{model:9} {groups:3} workers and texts: {told}  +- {error:.3f}, {failed} without a fit"


def seconds(model: str, n: int, n_workers: int, n_texts: int) -> str:
    frame = study(n, n_workers, n_texts, 8, 0)
    started, used = time.perf_counter(), time.process_time()
    fit = MODELS[model].fit(build_design(frame, ANSWERS[model], TERMS))
    wall, own = time.perf_counter() - started, time.process_time() - used
    return f"{model:9} {n:7,} x {n_workers:5,} x {n_texts:5,}: {wall:6.2f} s, {own:6.2f} s of CPU, {fit.status}"


def study(n: int, n_workers: int, n_texts: int, n_methods: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    worker, text = rng.integers(n_workers, size=n), rng.integers(n_texts, size=n)
    x, method = rng.normal(size=n), rng.integers(n_methods, size=n)
    eta = EFFECT * x + PER_METHOD * method
    eta = eta + OF_WORKERS * rng.normal(size=n_workers)[worker] + OF_TEXTS * rng.normal(size=n_texts)[text]
    latent = eta + rng.logistic(size=n)
    return pd.DataFrame(
        {
            "worker": worker, "text": text, "x": x, "method": np.char.add("m", method.astype(str)),
            "side": np.where(text % 2, "odd", "even"), "points": eta + rng.normal(size=n),
            "right": (latent > np.median(latent)).astype(float),
            "rating": np.digitize(latent, np.quantile(latent, [0.1, 0.3, 0.6, 0.85])) + 1.0,
        }
    )  # fmt: skip


if __name__ == "__main__":
    main()
