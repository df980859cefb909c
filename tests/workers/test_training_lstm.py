"""An LSTM learns two words, from a list, a file and a dataset, and is a classifier like any other."""

from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from django.core.management import call_command

from accounts.models import Team
from catalogue.methods import methods_for
from materials.models import Chunk, Classifier, Dataset, Explanation, Failure, Run, Text
from workers.classifiers import load_classifier, training_lstm
from workers.classifiers.errors import ClassifierError
from workers.classifiers.training import Example, Trained
from workers.classifiers.training_lstm import Recipe, train_lstm
from workers.tasks import explain_chunk, register_classifier

NAMES = ("bad", "good")
EXAMPLES = [
    Example(f"{word} film {'really ' * (at % 3)}", label)
    for at in range(150)
    for label, word in enumerate(["Awful", "Great"])
]
SMALL = Recipe(embedding_size=8, hidden_size=4, most_epochs=20)


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small networks on small data: few steps must do."""
    for name, value in {"LEARNING_RATE": 0.05, "BATCH": 16, "DROPOUT": 0.2, "OUTPUT_DROPOUT": 0.2}.items():
        monkeypatch.setattr(training_lstm, name, value)


def train(out: Path, examples: list[Example] = EXAMPLES, **more: Any) -> Trained:
    return train_lstm(examples, NAMES, out, **{"recipe": SMALL} | more)


def test_it_works(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    made = train(tmp_path / "var" / "made", progress=lambda done, total: seen.append((done, total)))
    assert made.accuracy > 0.9 and made.held_out == 30 and 0.5 <= made.most_frequent < 0.8
    assert seen[0] == (16, 20 * 254) and seen[-1] == (20 * 254, 20 * 254)
    classifier = load_classifier(str(tmp_path / "var" / "made"))
    assert classifier.label_names == NAMES
    ids = [classifier.encode("1", content).input_ids for content in ("a great film", "AWFUL , awful film")]
    assert classifier.logits_of(ids).argmax(-1).tolist() == [1, 0]


def test_it_ends_when_it_gets_no_better(tmp_path: Path) -> None:
    seen: list[int] = []
    train(tmp_path / "made", recipe=Recipe(8, 4, most_epochs=60), progress=lambda done, total: seen.append(done))
    assert seen[-2] < seen[-1] == 60 * 254


def test_the_seed_fixes_the_network(tmp_path: Path) -> None:
    short = Recipe(8, 4, most_epochs=1)
    hashes = []
    for at, seed in enumerate([3, 3, 4]):
        train(tmp_path / str(at), seed=seed, recipe=short)
        hashes.append(load_classifier(str(tmp_path / str(at))).weights_hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_words_that_occur_once_are_not_known(tmp_path: Path) -> None:
    train(tmp_path / "made", [*EXAMPLES, Example("a singular film", 1)], recipe=Recipe(8, 4, most_epochs=1))
    pieces = load_classifier(str(tmp_path / "made")).tokenizer.pieces
    assert pieces[:2] == ("<pad>", "<unk>") and set(pieces[2:]) == {"film", "really", "great", "awful"}


def test_case_may_count(tmp_path: Path) -> None:
    train(tmp_path / "made", recipe=Recipe(8, 4, most_epochs=1, lower_case=False))
    assert "Great" in load_classifier(str(tmp_path / "made")).tokenizer.pieces


def test_nothing_half_done_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(training_lstm, "load", broken)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "made" / "it", recipe=Recipe(8, 4, most_epochs=1))
    assert list((tmp_path / "made").iterdir()) == []


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        (EXAMPLES[:49], "Training takes 50 labelled texts or more, and here are 49"),
        (EXAMPLES[::2], "All texts have the same label: there is nothing to learn"),
    ],
)
def test_what_teaches_nothing_is_refused(tmp_path: Path, examples: list[Example], said: str) -> None:
    with pytest.raises(ClassifierError, match=said):
        train(tmp_path / "made", examples)


SIZES = {"embedding_size": 8, "hidden_size": 4, "epochs": 6}


def test_the_command_learns_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "reviews.csv"
    rows = [f"{example.content},{NAMES[example.label]}" for example in EXAMPLES]
    path.write_text("\n".join(["review,stars", ",good", *rows, "a film,"]) + "\n")
    rest = {"text_column": "review", "label_column": "stars", "out": tmp_path / "made"}
    call_command("train_lstm", file=path, **rest, **SIZES)
    said = capsys.readouterr()
    assert "reviews.csv, line 2: review is empty." in said.err
    assert "of 30 held-out texts;" in said.out and "commonest label would be on" in said.out
    (tmp_path / "texts.csv").write_text("text\nan awful film\n")
    out = tmp_path / "maps.parquet"
    call_command("explain", str(tmp_path / "texts.csv"), classifier=str(tmp_path / "made"), methods="all", out=out)
    made = pyarrow.parquet.read_table(out).to_pylist()
    assert [row["method"] for row in made] == methods_for("lstm")
    assert all(row["words"] == ["an", "awful", "film"] for row in made)


@pytest.mark.django_db
def test_the_command_learns_a_dataset_and_the_web_takes_the_folder(
    tmp_path: Path, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = Dataset.objects.create(team=team, name="Reviews", slug="reviews", language="en")
    Text.objects.bulk_create(
        Text(
            dataset=dataset,
            key=str(at),
            content=f"{example.content} {at}",
            content_hash=str(at),
            label=NAMES[example.label],
        )
        for at, example in enumerate(EXAMPLES)
    )
    Text.objects.create(dataset=dataset, key="x", content="no label", content_hash="x")
    call_command("train_lstm", dataset="Reviews", out=tmp_path / "made", **SIZES)
    assert "of 30 held-out texts" in capsys.readouterr().out
    row = Classifier.objects.create(team=team, name="LSTM", slug="lstm", source=str(tmp_path / "made"), kind="")
    register_classifier(row.pk)
    row.refresh_from_db()
    assert (row.state, row.kind, row.label_names) == (Classifier.State.READY, "lstm", ["bad", "good"])
    assert row.problem_type == "single_label_classification" and len(row.weights_hash) == 64
    methods = [{"method": name, "params": {}} for name in methods_for("lstm")]
    run = Run.objects.create(dataset=dataset, classifier=row, kind="explain", methods=methods, metrics=[])
    chunk = Chunk.objects.create(run=run, number=0, text_ids=list(dataset.texts.values_list("pk", flat=True)[:3]))
    explain_chunk(chunk.pk)
    run.refresh_from_db()
    assert (run.state, Failure.objects.count()) == (Run.State.DONE, 0)
    assert Explanation.objects.filter(classifier=row).count() == 3 * len(methods)


def refused(code: int, **options: Any) -> None:
    with pytest.raises(SystemExit) as end:
        call_command("train_lstm", **options)
    assert end.value.code == code


@pytest.mark.django_db
def test_the_command_says_what_is_wrong(tmp_path: Path, team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    refused(1, dataset="Reviews", out=tmp_path / "made")
    refused(2, dataset="Reviews", out=tmp_path)
    (tmp_path / "one.csv").write_text("text,label\na film,good\n")
    refused(2, file=tmp_path / "one.csv", out=tmp_path / "made", hidden_size=0)
    refused(1, file=tmp_path / "gone.csv", out=tmp_path / "made")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "There is no dataset 'Reviews': import it first, or look at its name."
    assert lines[1] == f"{tmp_path} is there already: name a folder that is not."
    assert lines[2] == "Sizes and epochs are whole numbers from 1 to 16,384."
    assert lines[3] == "gone.csv: is not there: check the path."
