import numpy as np
import pandas as pd
import pytest

from analysis.arrays import FloatArray
from analysis.ranking.bradley_terry import fit, status_of
from analysis.ranking.contesting import Answers, answers_of
from analysis.scoring.drawing import draw, observe

METHODS = ["a", "b", "c"]
STRENGTHS = np.array([0.8, 0.0, -0.8])


def judged(seed: int = 0, n: int = 1500, side: float = 0.4, ties: float = -0.5) -> pd.DataFrame:
    """Answers as the model makes them."""
    rng = np.random.default_rng(seed)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])[rng.integers(0, 3, n)]
    left = rng.integers(0, 2, n)
    logs = np.stack([STRENGTHS[pairs[:, 0]] + side * left, STRENGTHS[pairs[:, 1]] + side * (1 - left),
                     ties + STRENGTHS[pairs].mean(axis=1)], axis=1)  # fmt: skip
    chances = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    outcome = (rng.random((n, 1)) > chances.cumsum(axis=1)).sum(axis=1)
    return pd.DataFrame(
        {
            "text": rng.integers(0, 60, n).astype(str),
            "worker": rng.integers(0, 30, n).astype(str),
            "method": np.array(METHODS)[pairs[:, 0]],
            "other": np.array(METHODS)[pairs[:, 1]],
            "score": np.array([1.0, 0.0, 0.5])[outcome],
            "first_left": left,
        }
    )


def everything(found: Answers, texts: FloatArray, workers: FloatArray) -> FloatArray:
    fitted = fit(found.contests, found.counts(texts, workers), ridge=0.01)
    return np.column_stack([fitted.strengths, fitted.ties, fitted.side])


def test_it_works() -> None:
    """What answers were made with lies within four standard errors of what is found."""
    answers = answers_of(judged())
    found, drawn = observe(answers, everything), draw(answers, everything, replicates=150)
    assert (np.abs(found - [*STRENGTHS, -0.5, 0.4]) < 4 * drawn.std(axis=0)).all()
    assert drawn.mean(axis=0) == pytest.approx(found)
    assert drawn.std(axis=0).max() < 0.15


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_copies(seed: int) -> None:
    frame, rng = judged(seed, n=80), np.random.default_rng(seed)
    answers = answers_of(frame)
    texts, workers = rng.integers(0, 3, len(answers.texts)), rng.integers(0, 3, len(answers.workers))
    of_text, of_worker = dict(zip(answers.texts, texts, strict=True)), dict(zip(answers.workers, workers, strict=True))
    times = frame["text"].map(of_text) * frame["worker"].map(of_worker)
    found = answers.counts(texts[None].astype(float), workers[None].astype(float))[0]
    for contest, row in enumerate(found):
        first, second = METHODS[answers.contests.first[contest]], METHODS[answers.contests.second[contest]]
        own = (frame["method"] == first) & (frame["other"] == second)
        own &= frame["first_left"] == (answers.contests.side[contest] == 1)
        expected = [times[own & (frame["score"] == score)].sum() for score in (1.0, 0.0, 0.5)]
        assert row.tolist() == expected


def test_every_answer_is_one_where_all_are_drawn_once() -> None:
    frame = judged(n=200)
    answers = answers_of(frame)
    once = np.ones((1, len(answers.texts)))
    assert answers.counts(once, np.ones((1, len(answers.workers)))).sum() == 200
    assert answers.as_they_are().counts(once, np.zeros((1, 5))).sum() == 200
    assert len(answers.apart().workers) == len(frame[["text", "worker"]].drop_duplicates())


def test_where_some_sides_are_unknown_none_is_used() -> None:
    frame = judged(n=50)
    frame["first_left"] = frame["first_left"].astype("Int64")
    frame.loc[3, "first_left"] = pd.NA
    answers = answers_of(frame)
    assert not answers.contests.side.any() and len(answers.contests.first) == 3
    counts = answers.counts(np.ones((1, len(answers.texts))), np.ones((1, len(answers.workers))))
    assert status_of(answers.contests, counts[0]) == "ok" and np.isnan(fit(answers.contests, counts).side[0])


def test_another_score_is_refused() -> None:
    with pytest.raises(ValueError, match=r"scores 1, 0.5 or 0, not 3"):
        answers_of(judged(n=5).assign(score=3))
