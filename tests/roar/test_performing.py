"""ROAR on texts whose first word alone decides the label: whoever finds it takes everything."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from workers.classifiers import training_lstm
from workers.classifiers.errors import ClassifierError
from workers.classifiers.training import Example
from workers.classifiers.training_lstm import Recipe
from workers.roar import performing
from workers.roar.keeping import Cell, Keeper
from workers.roar.performing import EMPTY, WHOLE, Job, perform
from workers.roar.recording import record

FILLERS = ["film", "plot", "scene", "actor", "story", "camera", "music", "light", "ending", "title", "hero", "city"]


def _examples(count: int) -> list[Example]:
    """Six words, of which one decides, anywhere among others that say nothing."""
    draws, made = random.Random(0), []
    for at in range(count):
        words = draws.choices(FILLERS, k=5)
        words.insert(draws.randrange(6), ("awful", "great")[at % 2])
        made.append(Example(" ".join(words), at % 2))
    return made


EXAMPLES = _examples(160)
Whole = tuple[Path, dict[Cell, float]]
DECIDING = {"awful", "great"}
JOB = Job(
    EXAMPLES, ("bad", "good"), {"random": {}, "occlusion": {}}, [0.2, 0.5], [0, 1], recursive=True,
    recipe=Recipe(embedding_size=8, hidden_size=4, most_epochs=8),
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def fast() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"LEARNING_RATE": 0.05, "BATCH": 16, "DROPOUT": 0.2, "OUTPUT_DROPOUT": 0.2}.items():
            patch.setattr(training_lstm, name, value)
        yield


@pytest.fixture(scope="module")
def whole(fast: None, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The folder of the job, done without a break, and what it found."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, perform(JOB, keeper(folder))


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each training."""
    seen: list[int] = []
    fit: Callable[..., Any] = training_lstm.fit_network

    def counted(*args: Any) -> Any:
        seen.append(len(seen))
        return fit(*args)

    monkeypatch.setattr(performing, "fit_network", counted)
    return seen


def keeper(folder: Path, job: Job = JOB) -> Keeper:
    return Keeper(folder, {"shares": job.shares}, job.methods)


def test_it_works(tmp_path: Path, trained: list[int]) -> None:
    told: list[tuple[int, int]] = []
    found = perform(JOB, keeper(tmp_path), lambda what, done, total: told.append((done, total)))
    assert len(trained) == JOB.trainings == 12 and told == [(at, 12) for at in range(13)]
    assert found[WHOLE] > 0.9 and found[EMPTY] < 0.7
    made = record(JOB, found)
    assert made["meta"]["n_held_out"] == 16 and made["meta"]["shares"] == [0, 0.2, 0.5, 1]
    first, chance = made["methods"]
    assert (first["method"], chance["method"]) == ("occlusion", "random")
    # The one word that goes first is the one that decides; by chance it is in a sixth of the texts.
    assert first["curve"][1]["value"] < 0.7 < 0.9 < chance["curve"][1]["value"]
    assert first["area"]["value"] > 0 == chance["area"]["value"] and first["relative_area"]["status"] == "ok"
    assert first["curve"][1]["by_seed"] == [found[Cell("occlusion", 0.2, seed)] for seed in (0, 1)]


def test_what_went_stays_gone_and_its_place_is_unknown(whole: Whole) -> None:
    kept = keeper(whole[0])
    corpus = performing._Working(JOB, kept, 0).corpus
    less, more = (kept.removed(Cell("occlusion", share, 0), corpus) for share in JOB.shares)
    assert less and more and all(one < other for one, other in zip(less, more, strict=True))
    assert {(len(one), len(other)) for one, other in zip(less, more, strict=True)} == {(1, 3)}
    words = [text.content.split() for text in corpus.texts]
    assert all(own[at] in DECIDING for own, gone in zip(words, less, strict=True) for at in gone)
    unknown = corpus.vocabulary.unk_id
    for own, gone, row in zip(words, more, corpus.rows(more).ids, strict=True):
        assert [at for at, one in enumerate(row) if one == unknown] == sorted(gone) and len(row) == len(own)


def test_what_is_explained_anew_gives_nothing_away(whole: Whole, tmp_path: Path) -> None:
    """Maps of the first model alone say which label it predicted, also by the words that decide nothing."""
    job = replace(JOB, recursive=False)
    once, anew = (
        record(job, found)["methods"][0]["curve"][2]["value"] for found in (perform(job, keeper(tmp_path)), whole[1])
    )
    assert anew < 0.6 < 0.8 < once


def test_a_job_that_was_killed_goes_on_where_it_was(whole: Whole, tmp_path: Path, trained: list[int]) -> None:
    def stop(what: str, done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(JOB, keeper(tmp_path), stop)
    assert len(trained) == 4
    assert perform(JOB, keeper(tmp_path)) == whole[1] and len(trained) == JOB.trainings
    assert perform(JOB, keeper(tmp_path)) == whole[1] and len(trained) == JOB.trainings


def test_methods_and_seeds_come_in_later(whole: Whole, tmp_path: Path, trained: list[int]) -> None:
    small = replace(JOB, methods={"random": {}}, seeds=[0])
    perform(small, keeper(tmp_path, small))
    before = len(trained)
    assert perform(JOB, keeper(tmp_path)) == whole[1]
    # The first model of the first seed is there no more, and is made again to be explained.
    assert len(trained) - before == JOB.trainings - small.trainings + 1


def test_another_job_is_not_mixed_in(tmp_path: Path) -> None:
    keeper(tmp_path)
    with pytest.raises(ClassifierError, match="holds a job of other shares: name another folder"):
        keeper(tmp_path, replace(JOB, shares=[0.5]))
    with pytest.raises(ClassifierError, match="other parameters of random"):
        keeper(tmp_path, replace(JOB, methods={"random": {"seed": 3}}))
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(ClassifierError, match="plan.json cannot be read .* delete it"):
        keeper(tmp_path)


def test_random_is_what_curves_are_held_against(tmp_path: Path) -> None:
    job = replace(JOB, methods={"gradient": {}})
    with pytest.raises(ValueError, match="Random"):
        perform(job, keeper(tmp_path, job))
