"""`train_head`: from labelled texts, of a dataset or a file, to a folder that `explain` takes."""

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team
from materials.models import Dataset, Text
from tests.materials.actors import sha256
from tests.workers.test_training_head import EXAMPLES
from tests.workers.tiny import save_language_model
from workers.classifiers import load_classifier

NAMES = ("awful film", "great film")


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_language_model(tmp_path_factory.mktemp("lm"), "llama"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(
            [["review", "label"], *((one.content, NAMES[one.label]) for one in EXAMPLES), ["", ""]]
        )
    return path


def train(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    code = 0
    try:
        call_command("train_head", **options)
    except SystemExit as end:
        code = int(end.code or 0)
    said = capsys.readouterr()
    return code, said.out + said.err


def test_it_works(file: Path, language_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "head"
    given = {"file": file, "text_column": "review", "language_model": language_model}
    code, said = train(capsys, **given, out=out)
    assert code == 0
    assert "reviews.csv, line 62: " in said
    assert f"{out}: right on 1" in said and "of 6 held-out texts; always saying their commonest label" in said
    assert "It learnt from the other 54: evaluated on those, it looks better than it is." in said
    assert load_classifier(str(out)).label_names == NAMES
    code, said = train(capsys, **given, out=out)
    assert (code, "is there already: name a folder that is not" in said) == (2, True)


def test_it_learns_a_dataset(
    team: Team, language_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = Dataset.objects.create(team=team, name="Reviews", slug="reviews")
    contents = dict.fromkeys(one.content for one in EXAMPLES)
    Text.objects.bulk_create(
        Text(
            dataset=dataset, key=str(at), content=content, content_hash=sha256(content), label=NAMES["great" in content]
        )
        for at, content in enumerate([*contents, *(f"{content} really" for content in contents)])
    )
    Text.objects.create(dataset=dataset, key="none", content="unlabelled", content_hash=sha256("unlabelled"))
    code, said = train(capsys, dataset="Reviews", language_model=language_model, out=tmp_path / "head", seed=3)
    assert (code, "held-out texts" in said) == (0, True), said
    assert load_classifier(str(tmp_path / "head")).kind == "causal-lm"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"dataset": "Reviews"}, "There is no dataset 'Reviews': import it first"),
        ({"file": Path("nowhere.csv")}, "nowhere.csv"),
    ],
)
def test_what_is_not_there_is_named(
    team: Team,
    language_model: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: dict[str, Any],
    says: str,
) -> None:
    code, said = train(capsys, **options, language_model=language_model, out=tmp_path / "head")
    assert (code, says in said) == (1, True), said


def test_a_model_that_is_none_is_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = train(capsys, file=file, text_column="review", language_model="./nowhere", out=tmp_path / "head")
    assert (code, "No such folder: ./nowhere" in said) == (1, True), said
