"""Random halves of the judgments: how well people agree with people bounds how well a metric can agree with them.

A split is of the judgments of each stimulus, or of the workers. Judgments in both directions of one pair stay together.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.correlation.coefficients import Single

JUDGMENTS, WORKERS = "judgments", "workers"
SPLITS = 100
# Added to the seed, so that halves are drawn apart from resamples.
OF_HALVES = 2**41


@dataclass(frozen=True)
class Judged:
    """Judgments of explanations, as places in arrays.

    answers: of each answer that was given, the stimulus (`stimulus`) and the worker (`worker`) it is of, (answers,).
    rows: of each row, a side of a pair or a whole judgment, its answer, explanation (text * methods + method) and
    score, (rows,). shape: (texts, methods).
    """

    stimulus: IntArray
    worker: IntArray
    answer: IntArray
    explanation: IntArray
    score: FloatArray
    shape: tuple[int, int]

    @property
    def can_be_halved(self) -> bool:
        """Whether some stimulus has two judgments."""
        return bool(len(self.stimulus) and np.bincount(self.stimulus).max() > 1)

    @property
    def n_workers(self) -> int:
        return len(np.unique(self.worker))


def halving_status(judged: Judged | None, by: str) -> str:
    """Whether judgments, None where only verdicts are known, have halves by JUDGMENTS or by WORKERS.

    status: ok, only_majority_verdicts, one_judgment_each, one_rater.
    """
    if judged is None:
        return "only_majority_verdicts"
    if by == WORKERS:
        return "ok" if judged.n_workers > 1 else "one_rater"
    return "ok" if judged.can_be_halved else "one_judgment_each"


def halves_of_judgments(judged: Judged, splits: int = SPLITS, seed: int = 0) -> Single:
    """Mean score of each explanation in either half of its stimuli's judgments: (splits, 2, texts, methods).

    An odd judgment goes to either half by chance. NaN where a half has none. In single precision.
    """
    return _halves(judged, splits, _by_stimulus(judged, splits, seed))


def halves_of_workers(judged: Judged, splits: int = SPLITS, seed: int = 0) -> Single:
    """The same, of the judgments of either half of the workers."""
    return _halves(judged, splits, _by_worker(judged, splits, seed))


def _by_stimulus(judged: Judged, splits: int, seed: int) -> Iterator[IntArray]:
    rng = np.random.default_rng(seed + OF_HALVES)
    n_stimuli, place = int(judged.stimulus.max()) + 1, np.arange(len(judged.stimulus))
    start = np.r_[0, np.cumsum(np.bincount(judged.stimulus, minlength=n_stimuli))[:-1]]
    for _ in range(splits):
        order = np.argsort(judged.stimulus + rng.random(len(place)))
        within = place - start[judged.stimulus[order]]
        half = np.empty(len(place), dtype=np.int64)
        half[order] = (within + rng.integers(0, 2, n_stimuli)[judged.stimulus[order]]) % 2
        yield half


def _by_worker(judged: Judged, splits: int, seed: int) -> Iterator[IntArray]:
    rng = np.random.default_rng(seed + OF_HALVES)
    _, worker = np.unique(judged.worker, return_inverse=True)
    n_workers = int(worker.max()) + 1
    for _ in range(splits):
        yield ((rng.permutation(n_workers) + rng.integers(0, 2)) % 2)[worker].astype(np.int64)


def _halves(judged: Judged, splits: int, drawn: Iterator[IntArray]) -> Single:
    found: Single = np.full((splits, 2, *judged.shape), np.nan, dtype=np.float32)
    size = int(np.prod(judged.shape))
    for split, half in enumerate(drawn):
        place = half[judged.answer] * size + judged.explanation
        sums, counts = np.bincount(place, judged.score, 2 * size), np.bincount(place, minlength=2 * size)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[split] = (sums / counts).reshape(2, *judged.shape)
    return found
