"""Studies that never were: many at once as arrays for power, or one as a table for the whole analysis."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray, IntArray
from analysis.planning.assumptions import Assumptions
from analysis.planning.designing import Design, place_workers
from analysis.study import PAIRWISE, Study, study_of_judgments

# Latent values held in memory at a time.
CHUNK = 4_000_000


def method_scores(assumed: Assumptions, design: Design, *, null: bool = False) -> list[float]:
    """What each arm is worth: the second method is better by the effect, all others are alike.

    Of pairs: how often the first of each wins against the second, in the order of `pair_numbers`.
    """
    effect = 0.0 if null else assumed.effect
    if not design.pairs:
        return [assumed.base + effect * (arm == 1) for arm in range(design.arms)]
    return [assumed.base + effect * ((first == 1) - (second == 1)) for first, second in pair_numbers(design.methods)]


def pair_numbers(methods: int) -> list[tuple[int, int]]:
    """All pairs, the better method (1) first where it is of the pair."""
    return [(b, a) if b == 1 else (a, b) for a in range(methods) for b in range(a + 1, methods)]


def simulate(
    assumed: Assumptions, design: Design, studies: int, rng: np.random.Generator, *, null: bool = False
) -> FloatArray:
    """Scores of every text under every arm, (studies, texts, arms), as the report takes them.

    Majority verdicts, where the assumptions have votes, and otherwise means of judgments; means over the ks.
    """
    latent = [assumed.latent(score) for score in method_scores(assumed, design, null=null)]
    step = max(1, CHUNK // design.total)
    rows = [min(step, studies - start) for start in range(0, studies, step)]
    return np.concatenate([_scored(assumed, design, _answers(assumed, design, latent, n, rng)[0]) for n in rows])


def _answers(
    assumed: Assumptions, design: Design, latent: list[float], studies: int, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    """(studies, texts, arms, steps, judgments), and the workers who gave them, the same without the first axis.

    The studies have texts, maps and workers of their own, but share who of the workers meets what: there is nothing in
    it that could turn out well or badly.
    """
    shape = (studies, design.texts, design.arms, design.steps, design.judgments)
    workers = place_workers(design, rng).reshape(shape[1:])
    drawn = _normal(rng, (studies, int(workers.max()) + 1), assumed.worker)
    values = drawn[:, workers.ravel()].reshape(shape)
    values += _normal(rng, shape, assumed.rest)
    cells = _normal(rng, (*shape[:2], 1), assumed.text) + _normal(rng, shape[:3], assumed.text_method)
    values += (cells + np.asarray(latent, np.float32))[:, :, :, None, None]
    return assumed.answering(np.asarray(values)), workers


def _normal(rng: np.random.Generator, shape: tuple[int, ...], share: float) -> NDArray[np.float32]:
    if share <= 0:
        return np.zeros(shape, np.float32)
    return rng.standard_normal(shape, dtype=np.float32) * np.float32(np.sqrt(share))


def _scored(assumed: Assumptions, design: Design, answers: FloatArray) -> FloatArray:
    if assumed.votes:
        recognised = 2 * answers.sum(axis=-1) > design.judgments
        return np.asarray(recognised.mean(axis=-1, dtype=float))
    return np.asarray(answers.mean(axis=(-2, -1), dtype=float))


def unit_of(assumed: Assumptions, design: Design) -> float | None:
    """What every difference of two scores is a multiple of; None where scores are no sums of whole numbers."""
    if assumed.votes:
        return 1 / design.steps
    unit = {"reveal": None, PAIRWISE: 0.5}.get(assumed.protocol, 1.0)
    return None if unit is None else unit / (design.steps * design.judgments)


def rehearse(assumed: Assumptions, design: Design, seed: int = 0, *, null: bool = False) -> Study:
    """One simulated study as the table that every analysis takes, with text, worker, method and k of each judgment."""
    rng = np.random.default_rng(seed)
    latent = [assumed.latent(score) for score in method_scores(assumed, design, null=null)]
    answers, workers = _answers(assumed, design, latent, 1, rng)
    shape = answers.shape[1:]
    texts, arms, steps, _ = (axis.ravel() for axis in np.indices(shape))
    pairs = pair_numbers(design.methods) if design.pairs else [(arm, None) for arm in range(design.arms)]
    frame = pd.DataFrame(
        {
            "text": [f"t{text:05d}" for text in texts],
            "method": [f"m{pairs[arm][0]}" for arm in arms],
            "other": ["" if pairs[arm][1] is None else f"m{pairs[arm][1]}" for arm in arms],
            "k": pd.array(steps + 1 if design.steps > 1 or assumed.votes else [pd.NA] * len(steps), dtype="Int64"),
            "worker": [f"w{worker:05d}" for worker in workers.ravel()],
            "score": answers.ravel().astype(float),
            "expected": "right",
            "late": 0,
            "response_ms": pd.array([round(1000 * assumed.seconds)] * len(texts), dtype="Int64"),
        }
    )
    labels = np.where(frame["score"] > 0, "right", "wrong") if assumed.votes else frame["score"].map("{:g}".format)
    return study_of_judgments(assumed.protocol, frame.assign(label=labels), meta={"source": "simulated"})
