import numpy as np
import pandas as pd
import pytest

from analysis.arrays import FloatArray
from analysis.scoring.accuracy import accuracy
from analysis.scoring.people import (
    Known,
    Majorities,
    Means,
    known_verdicts,
    majorities_of,
    means_of,
    people_of,
)
from analysis.scoring.voting import majority_verdicts
from analysis.scoring.weighting import weighted_accuracy
from analysis.study import RATING, TOPK_GUESS, Study, study_of_judgments

TEXTS, METHODS, KS, WORKERS = 6, ["a", "b", "c"], [5, 10], 9


def votes(seed: int = 0, answers: int = 4) -> pd.DataFrame:
    """Three votes a cell among right, wrong labels and "cannot tell"; some cells have none."""
    rng = np.random.default_rng(seed)
    rows = []
    for text in range(TEXTS):
        for method in METHODS:
            for k in KS:
                for worker in rng.choice(WORKERS, size=rng.integers(0, 6), replace=False):
                    label = ["good", "bad", "odd", "cannot_tell"][rng.choice(answers)]
                    rows.append((f"t{text}", method, k, f"w{worker}", label, "good", float(label == "good")))
    return pd.DataFrame(rows, columns=["text", "method", "k", "worker", "label", "expected", "score"])


def once(n: int) -> FloatArray:
    return np.ones((1, n))


def drawn_of(n: int, rng: np.random.Generator) -> FloatArray:
    return np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)


def copied(judgments: pd.DataFrame, texts: FloatArray, workers: FloatArray) -> pd.DataFrame:
    """The judgments as the weights say, one row for each time: copies of texts are texts of their own."""
    of_text, of_worker = (judgments[name].str[1:].astype(int) for name in ("text", "worker"))
    rows = []
    for copy in range(int(texts.max())):
        times = np.where(texts[of_text] > copy, workers[of_worker], 0)
        drawn = judgments.loc[judgments.index.repeat(times)]
        rows.append(drawn.assign(text=drawn["text"] + f" {copy}"))
    return pd.concat(rows)


def test_means_are_means_over_texts_of_the_means_of_texts() -> None:
    judgments = votes()
    people = means_of(judgments)
    by_text = judgments.groupby(["text", "method"])["score"].mean().unstack()
    assert people.scores(once(TEXTS), once(WORKERS))[0] == pytest.approx(by_text.mean().to_numpy(), abs=1e-6)
    assert people.by_text(once(WORKERS))[0] == pytest.approx(by_text.to_numpy(), abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("seed", range(5))
def test_drawn_means_are_the_means_of_copies(seed: int) -> None:
    judgments, rng = votes(seed), np.random.default_rng(seed)
    people = means_of(judgments)
    texts, workers = drawn_of(TEXTS, rng), drawn_of(WORKERS, rng)
    rows = copied(judgments, texts, workers)
    expected = rows.groupby(["text", "method"])["score"].mean().unstack().reindex(columns=METHODS).mean().to_numpy()
    assert people.scores(texts[None], workers[None])[0] == pytest.approx(expected, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("answers", [4, 2, 1])
def test_verdicts_are_those_of_the_majority(answers: int) -> None:
    judgments = votes(answers=answers)
    people = majorities_of(judgments)
    known = majority_verdicts(judgments).set_index(["text", "method", "k"])["recognised"]
    names = pd.MultiIndex.from_product([people.texts, METHODS, KS])
    found = people.as_they_are().known.reshape(-1)
    assert found == pytest.approx(known.reindex(names).to_numpy(dtype=float), nan_ok=True)


@pytest.mark.parametrize("seed", range(5))
def test_drawn_accuracies_are_those_of_copies(seed: int) -> None:
    judgments, rng = votes(seed), np.random.default_rng(seed)
    people = majorities_of(judgments)
    texts, workers = drawn_of(TEXTS, rng), drawn_of(WORKERS, rng)
    cells = majority_verdicts(copied(judgments, texts, workers))
    expected = cells.groupby(["method", "k"])["recognised"].mean().unstack().reindex(index=METHODS, columns=KS)
    found = people.means(texts[None], workers[None])
    assert found[0] == pytest.approx(expected.to_numpy(), nan_ok=True)
    assert people.scores(texts[None], workers[None]) == pytest.approx(weighted_accuracy(found), nan_ok=True)


def test_a_worker_drawn_twice_can_turn_a_verdict() -> None:
    rows = [
        ("t", "a", 5, "w0", "good", "good"),
        ("t", "a", 5, "w1", "bad", "good"),
        ("t", "a", 5, "w2", "good", "good"),
    ]
    people = majorities_of(pd.DataFrame(rows, columns=["text", "method", "k", "worker", "label", "expected"]))
    drawn = np.array([[1, 1, 1], [0, 2, 1], [1, 1, 0], [0, 0, 3]])
    assert people.means(np.ones((4, 1)), drawn)[:, 0, 0].tolist() == [1, 0, 0, 1]


def test_votes_without_a_k_are_left_out() -> None:
    judgments = votes()
    beside = judgments.head(1).assign(k=np.nan, method="full_text")
    assert majorities_of(pd.concat([judgments, beside])).methods == METHODS


def test_known_verdicts_are_drawn_by_text_alone() -> None:
    verdicts = np.random.default_rng(1).integers(0, 2, size=(5, 2, 3)).astype(float)
    people = known_verdicts([*"vwxyz"], ["a", "b"], [5, 10, 20], verdicts)
    texts = np.array([[1.0, 1, 1, 1, 1], [0, 2, 0, 3, 0]])
    assert people.scores(texts, np.ones((2, 0))) == pytest.approx(weighted_accuracy(accuracy(verdicts, texts)))
    assert people.by_text(np.ones((1, 0)))[0] == pytest.approx(verdicts.mean(axis=-1))


def test_apart_every_worker_has_one_text_and_scores_stay() -> None:
    judgments = votes()
    for people in (means_of(judgments), majorities_of(judgments)):
        alone = people.apart()
        assert len(alone.workers) == len(judgments[["text", "worker"]].drop_duplicates())
        n = len(alone.workers)
        assert alone.scores(once(TEXTS), once(n)) == pytest.approx(people.scores(once(TEXTS), once(WORKERS)), abs=1e-6)


def test_the_weighting_can_be_chosen() -> None:
    people: Majorities = majorities_of(votes(), "uniform")
    means = people.means(once(TEXTS), once(WORKERS))
    assert people.scores(once(TEXTS), once(WORKERS)) == pytest.approx(means.mean(axis=-1))


def test_a_study_is_of_majorities_of_verdicts_or_of_means() -> None:
    judgments = votes().assign(late=0, response_ms=900)
    guessed = study_of_judgments(TOPK_GUESS, judgments)
    assert isinstance(people_of(guessed), Majorities)
    assert isinstance(people_of(study_of_judgments(RATING, judgments)), Means)
    published = people_of(Study(TOPK_GUESS, guessed.cells))
    assert isinstance(published, Known) and published.workers == []
    assert published.known == pytest.approx(people_of(guessed).as_they_are().known, nan_ok=True)


@pytest.mark.parametrize("seed", range(3))
def test_differences_are_over_the_texts_that_both_methods_were_judged_on(seed: int) -> None:
    judgments, rng = votes(seed), np.random.default_rng(seed)
    texts, workers = drawn_of(TEXTS, rng)[None], drawn_of(WORKERS, rng)[None]
    for people in (majorities_of(judgments), means_of(judgments)):
        by_text = people.by_text(workers)[0]
        apart = np.stack([by_text[:, i] - by_text[:, j] for i, j in ((0, 1), (0, 2), (1, 2))], axis=1)
        expected = np.nansum(apart * texts.T, axis=0) / (np.isfinite(apart) * texts.T).sum(axis=0)
        assert people.differences(texts, workers)[0] == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_known_differences_are_at_the_ks_that_both_were_judged_at() -> None:
    verdicts = np.array([[[1.0, 0.0, np.nan], [0.0, 0.0, 1.0]], [[1.0, np.nan, np.nan], [np.nan, 1.0, 1.0]]])
    people = known_verdicts(["s", "t"], ["a", "b"], [5, 10, 20], verdicts)
    assert people.differences_by_text()[:, 0] == pytest.approx([0.5, np.nan], nan_ok=True)
    assert people.differences(np.array([[1.0, 1.0], [0.0, 2.0]]), np.ones((2, 0)))[:, 0] == pytest.approx(
        [0.5, np.nan], nan_ok=True
    )


def test_linear_cells_are_the_sample_where_every_worker_is_drawn_once() -> None:
    for people in (majorities_of(votes()), means_of(votes())):
        everybody, known = once(len(people.workers)), people.as_they_are()
        assert people.linear().scores(once(TEXTS), everybody) == pytest.approx(known.scores(once(TEXTS), everybody))
        assert people.linear().apart().scores(once(TEXTS), once(len(people.apart().workers))) == pytest.approx(
            known.scores(once(TEXTS), everybody)
        )


def test_a_judgment_moves_a_mean_by_its_distance_from_the_methods_mean() -> None:
    rows = [("t0", "a", "w0", 5.0), ("t0", "a", "w1", 3.0), ("t1", "a", "w2", 1.0)]
    people = means_of(pd.DataFrame(rows, columns=["text", "method", "worker", "score"]).assign(k=np.nan))
    drawn = np.array([[2.0, 1, 1], [1, 0, 1], [1, 1, 3]])
    # The method's mean is 3: w0 brings 2 to a text of two judgments, w1 nothing, w2 takes 2 from a text of one.
    assert people.linear().by_text(drawn)[:, :, 0].tolist() == [[5.0, 1.0], [4.0, 1.0], [4.0, -3.0]]


def turning(labels: list[str]) -> list[bool]:
    """Whether each vote turns the verdict, by leaving it to "good" and to the most frequent wrong label in turn."""
    found = []
    for at in range(len(labels)):
        others = labels[:at] + labels[at + 1 :]
        wrong = [label for label in others if label != "good"]
        most = max(map(wrong.count, wrong), default=0)
        found.append((others.count("good") + 1 > most) and not (others.count("good") > most + 1))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_vote_moves_a_verdict_by_the_share_of_votes_that_turn_one(seed: int) -> None:
    judgments = votes(seed)
    people = majorities_of(judgments)
    expected = {}
    for (method, k), own in judgments.groupby(["method", "k"]):
        turns = [turned for _, cell in own.groupby("text", sort=False) for turned in turning(cell["label"].tolist())]
        expected[method, k] = float(np.mean(turns))
    influence = people.linear().influence
    for (method, k), own in judgments.groupby(["method", "k"]):
        steps = np.unique(np.round(influence[own.index], 9))
        assert np.ptp(steps) == pytest.approx(expected[method, k] if own["score"].nunique() > 1 else 0.0)
