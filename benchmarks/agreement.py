"""Alpha with a bootstrap interval on a million judgments: seconds and memory, against the krippendorff package.

    python benchmarks/agreement.py [--units 200000] [--each 5] [--workers 2000] [--replicates 1000] [--theirs 3]
                                   [--level ordinal]

Ours: from three columns (unit, worker, label, in memory as numbers) to alpha and its interval, counting included,
where units, workers, or both are resampled. Theirs: the package takes the value counts of every unit, which are made
once beforehand and not timed; a replicate draws as many rows of them with replacement and calls `krippendorff.alpha`.
Only --theirs of them are timed, and their mean is multiplied by the number of replicates. Its
other input, a matrix of workers by units, would have 400 million cells here and is not tried.

Labels are made up: every unit has a truth on a scale of five, which a worker gives with probability 0.6 and else
guesses. Alpha must be equal to 1e-9, and each interval over units must lie within 20 per cent of the other's width
where at least 100 of theirs are run. Each part runs in a process of its own, so that its peak memory (of the whole
process, libraries included) is its own; CPU seconds, one process at a time. Ratios of one sitting may be compared, not
of two.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from analysis.agreement.coefficients import krippendorff_alpha  # noqa: E402
from analysis.agreement.counting import count_ratings  # noqa: E402
from analysis.agreement.drawing import Over  # noqa: E402

VALUES, RELIABLE = 5, 0.6
EQUAL = 1e-9
OVERS: tuple[Over, ...] = ("units", "raters", "both")


class Size(NamedTuple):
    units: int
    each: int
    workers: int
    replicates: int
    theirs: int
    level: str


class Result(NamedTuple):
    """`timed` replicates took `seconds`; `once` is what was done once, such as counting."""

    value: float
    ci: tuple[float, float] | None
    once: float
    seconds: float
    timed: int
    megabytes: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=200_000)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2000)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--theirs", type=int, default=3)
    parser.add_argument("--level", choices=["nominal", "ordinal", "interval", "ratio"], default="ordinal")
    size = Size(**vars(parser.parse_args(arguments)))
    print(f"{size.units * size.each:,} judgments of {size.units:,} units by {size.workers:,} workers, {size.level}")
    print(f"{'':>22} {'once s':>7} {'s':>9} {'of':>5} {'1 run s':>9} {'MB':>6}  interval")
    theirs = apart(package, size)
    whole = show("krippendorff, units", theirs, size)
    for over in OVERS:
        found = apart(ours, size, over)
        took = show(f"ours, {over}", found, size)
        if over == "units":
            print(f"{'':>22} {whole / took:,.0f} times the package's speed")
        if abs(found.value - theirs.value) > EQUAL:
            sys.exit(f"Alpha differs: {found.value} and {theirs.value}.")
        if over == "units" and theirs.ci is not None and found.ci is not None:
            compare(found.ci, theirs.ci)


def judgments(size: Size) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit, worker and label of each judgment; the workers of a unit are `each` different ones."""
    rng = np.random.default_rng(1)
    units = np.repeat(np.arange(size.units), size.each)
    first, step = rng.integers(0, size.workers, size.units), rng.integers(1, size.workers // size.each, size.units)
    workers = (
        np.repeat(first, size.each) + np.repeat(step, size.each) * np.tile(range(size.each), size.units)
    ) % size.workers
    truth = np.repeat(rng.integers(1, VALUES + 1, size.units), size.each)
    guess = rng.integers(1, VALUES + 1, len(units))
    return units, workers, np.where(rng.random(len(units)) < RELIABLE, truth, guess)


def ours(size: Size, over: Over) -> Result:
    units, workers, labels = (pd.Series(column) for column in judgments(size))
    began = time.process_time()
    counted = count_ratings(units, workers, labels, numeric=True)
    once = time.process_time() - began
    found = krippendorff_alpha(counted, size.level, over=over, replicates=size.replicates)
    assert found.value is not None
    return Result(found.value, found.ci, once, time.process_time() - began - once, size.replicates, peak())


def package(size: Size) -> Result:
    import krippendorff

    units, _workers, labels = judgments(size)
    counts = np.bincount(units * VALUES + labels - 1, minlength=size.units * VALUES).reshape(-1, VALUES)

    def alpha(rows: np.ndarray) -> float:
        domain = np.arange(1, VALUES + 1)
        return float(
            krippendorff.alpha(value_counts=rows, value_domain=domain, level_of_measurement=cast(Any, size.level))
        )

    value = alpha(counts)
    rng = np.random.default_rng(0)
    began = time.process_time()
    drawn = [alpha(counts[rng.integers(0, size.units, size.units)]) for _ in range(size.theirs)]
    seconds = time.process_time() - began
    ci = tuple(np.quantile(drawn, [0.025, 0.975]).tolist()) if size.theirs >= 100 else None
    return Result(value, ci, 0.0, seconds, size.theirs, peak())


def apart(part: Callable[..., Result], *arguments: object) -> Result:
    """In a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(part, *arguments).result()


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def show(name: str, found: Result, size: Size) -> float:
    """A line; returns the seconds of one whole run."""
    whole = found.once + found.seconds / found.timed * size.replicates
    ends = "" if found.ci is None else f"{found.value:.4f} [{found.ci[0]:.4f}, {found.ci[1]:.4f}]"
    took = f"{found.once:>7.2f} {found.seconds:>9.2f} {found.timed:>5} {whole:>9.2f} {found.megabytes:>6.0f}"
    print(f"{name:>22} {took}  {ends or f'{found.value:.4f}'}", flush=True)
    return whole


def compare(ours: tuple[float, float], theirs: tuple[float, float]) -> None:
    width = theirs[1] - theirs[0]
    gaps = [abs(one - other) / width for one, other in zip(ours, theirs, strict=True)]
    print(f"{'':>22} ends differ by {gaps[0]:.1%} and {gaps[1]:.1%} of the interval's width")
    if max(gaps) > 0.2:
        sys.exit("The intervals differ.")


if __name__ == "__main__":
    main()
