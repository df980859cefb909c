import json
import random
import re
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Team
from catalogue.imported import PREFIX
from language.words import segment
from materials.maps.checking import Asked
from materials.maps.exporting import WRITERS, map_rows
from materials.maps.importing import import_maps
from materials.maps.reading import open_maps
from materials.models import Classifier, Dataset, Explanation, ImportedMethod
from tests.materials.actors import judge, sha256

ODD = [
    "plain words, twice: words!",
    "caf\u00e9 cafe\u0301\r\nno\u00a0break\u202fthin",
    "😴👍🏽 family 👨‍👩‍👧 flag 🇨🇭",
    "النص العربي مُشَكَّل، وعدد ١٢",
    "ﬁne ﬂow Straße İstanbul ½ …",
    "don't re-use https://example.org/a?b=c, ok? <s>old</s> [CLS] ##x ▁y Ġz",
    "中文 and 日本語の文 ไทย",
    "\tone\n\n",
]
numbers = count(1)


def shelf(team: Team, contents: list[str], prefix: str = "") -> tuple[Dataset, Classifier]:
    number = next(numbers)
    dataset = Dataset.objects.create(team=team, name=f"Odd {number}", slug=f"odd-{number}", language="en")
    for at, content in enumerate(contents):
        dataset.texts.create(key=f"{prefix}{at}", content=content, content_hash=sha256(content))
    return dataset, judge(team, ["neg", "pos"], f"critic-{number}")


def explain(dataset: Dataset, classifier: Classifier, method: str, seed: int = 0, **values: Any) -> None:
    """As worker processes write maps, with scores that have all bits set."""
    chance = random.Random(f"{seed}/{method}")
    for text in dataset.texts.all():
        words = segment(text.content, "en")
        scores: list[float | None] = [chance.gauss(0, 1) * 10.0 ** chance.randint(-320, 300) for _ in words]
        if len(words) > 3:
            scores[2], scores[0] = None, -0.0
        made = {"params": {"samples": 0.1 + seed}, "target": chance.randint(0, 1), "seconds": chance.random()} | values
        Explanation.objects.create(
            text=text, classifier=classifier, method=method,
            starts=[word.start for word in words], ends=[word.end for word in words], scores=scores,
            special=[["[CLS]", chance.random()], ["</s>", 1e-9]], completeness_error=chance.random(), seed=-(2**62),
            versions={"torch": "2.13", "words": "?"}, **made,
        )  # fmt: skip


def contents_of(dataset: Dataset, keys: bool = True) -> list[Any]:
    """All of the maps, with every bit of every number, but for the prefix and number of the method's name."""
    found = []
    for one in Explanation.objects.filter(text__dataset=dataset).select_related("text", "classifier").order_by("pk"):
        same = [
            re.sub(r"^imported:| \d+$", "", one.method),
            one.params,
            one.classifier.label_names[one.target],
            one.special,
        ]
        found.append([
            *same, one.starts, one.ends, repr(one.scores), one.completeness_error, one.seed, one.seconds,
            one.text.key if keys else one.text.content_hash,
        ])  # fmt: skip
    return found


def bring(dataset: Dataset, classifier: Classifier | None, path: Path) -> tuple[int, int]:
    outcome = import_maps(dataset, open_maps(path).rows(), classifier, Asked())
    assert outcome.written, outcome.first
    return outcome.taken, outcome.known


@pytest.fixture
def source(team: Team) -> tuple[Dataset, Classifier]:
    dataset, classifier = shelf(team, ODD)
    explain(dataset, classifier, "integrated_gradients")
    explain(dataset, classifier, "gradient", seed=1)
    return dataset, classifier


def export(dataset: Dataset, path: Path, *args: str) -> None:
    call_command("export_explanations", dataset.name, "--out", str(path), *args)


@pytest.mark.parametrize("kind", WRITERS)
def test_it_works(
    source: tuple[Dataset, Classifier], tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"maps.{kind}"
    export(source[0], path)
    assert f"16 maps in {path}." in capsys.readouterr().out
    row = next(open_maps(path).rows()).values
    assert (row["text_id"], row["method"], row["source"]) == ("0", "integrated_gradients", "computed by Peekaword")
    assert row["words"] == ["plain", "words", ",", "twice", ":", "words", "!"] and row["scores"][2] is None
    assert row["target"] in ("neg", "pos") and row["signed"] is True and row["text"] == ODD[0]
    assert [path.name for path in tmp_path.iterdir()] == [f"maps.{kind}"]


@pytest.mark.parametrize("kind", WRITERS)
def test_a_round_trip_changes_nothing(
    team: Team, source: tuple[Dataset, Classifier], tmp_path: Path, kind: str
) -> None:
    dataset, _ = source
    export(dataset, tmp_path / "maps", f"--format={kind}")
    path = (tmp_path / "maps").rename(tmp_path / f"maps.{kind}")
    other, judge_of_it = shelf(Team.objects.create(name="Another lab"), ODD[::-1], "other-")
    assert bring(other, judge_of_it, path) == (16, 0)
    assert contents_of(other, keys=False) == contents_of(dataset, keys=False)
    again = tmp_path / f"again.{kind}"
    again.write_bytes(b"".join(WRITERS[kind](map_rows(other))))
    assert bring(other, judge_of_it, again) == (0, 16)


def test_an_emptied_database_is_filled_again(source: tuple[Dataset, Classifier], tmp_path: Path) -> None:
    dataset, classifier = source
    path = tmp_path / "maps.jsonl"
    export(dataset, path)
    bring(dataset, classifier, path)
    Explanation.objects.exclude(method__startswith=PREFIX).delete()
    before, names = contents_of(dataset), list(Explanation.objects.order_by("pk").values_list("method", flat=True))
    export(dataset, path)
    Explanation.objects.all().delete()
    ImportedMethod.objects.all().delete()
    bring(dataset, classifier, path)
    assert contents_of(dataset) == before
    assert list(Explanation.objects.order_by("pk").values_list("method", flat=True)) == names


def test_computed_and_imported_maps_of_one_name_stay_apart(source: tuple[Dataset, Classifier], tmp_path: Path) -> None:
    dataset, classifier = source
    row = {"text_id": "0", "method": "gradient", "params": {"samples": 1.1}, "target": "pos"}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row | {"words": ["plain"], "scores": [1]}))
    bring(dataset, classifier, path)
    export(dataset, path)
    assert bring(dataset, classifier, path) == (16, 1)
    assert set(ImportedMethod.objects.values_list("name", "source", "signed")) == {
        ("imported:gradient", "", False),
        ("imported:gradient 2", "computed by Peekaword", False),
        ("imported:integrated_gradients", "computed by Peekaword", True),
    }


characters = st.one_of(
    st.sampled_from("\u00a0\u202f\u200d\ufe0f\u0301\u064b\r\n\t ﬁß½…👍🏽中ไالعaAé.,-'"),
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
)
texts = st.lists(st.text(characters, min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=8, unique=True)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=texts, kind=st.sampled_from(sorted(WRITERS)), seed=st.integers(0, 9))
def test_any_text_survives(team: Team, tmp_path: Path, contents: list[str], kind: str, seed: int) -> None:
    dataset, classifier = shelf(team, contents)
    explain(dataset, classifier, "lime", seed)
    path = tmp_path / f"maps.{kind}"
    path.write_bytes(b"".join(WRITERS[kind](map_rows(dataset, classifier))))
    other, judge_of_it = shelf(team, contents)
    bring(other, judge_of_it, path)
    assert contents_of(other) == contents_of(dataset)


def test_only_one_classifier_s_maps_can_be_asked_for(
    team: Team, source: tuple[Dataset, Classifier], tmp_path: Path
) -> None:
    dataset, classifier = source
    other = judge(team, ["neg", "pos"], "other")
    explain(dataset, other, "lime")
    path = tmp_path / "maps.parquet"
    export(dataset, path, "--classifier=other")
    assert pyarrow.parquet.read_table(path)["classifier"].unique().to_pylist() == ["other"]
    export(dataset, path)
    assert pyarrow.parquet.read_table(path).num_rows == 24
    assert bring(dataset, None, path) == (24, 0)
    assert Explanation.objects.filter(method__startswith=PREFIX, classifier=other).count() == 8


def test_parquet_is_streamed_in_parts(source: tuple[Dataset, Classifier], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("materials.maps.exporting.BATCH", 3)
    parts = list(WRITERS["parquet"](map_rows(source[0])))
    assert len(parts) == 7 and pyarrow.parquet.read_table(BytesIO(b"".join(parts))).num_rows == 16


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["Nothing"], "has no dataset called 'Nothing': there are"),
        (["Empty"], "There are no maps to export"),
        (["Empty", "--classifier=x"], "No ready classifier is called 'x': there are critic"),
    ],
)
def test_what_cannot_be_is_one_line(
    team: Team, tmp_path: Path, args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Dataset.objects.create(team=team, name="Empty", slug="empty")
    judge(team, ["neg"])
    with pytest.raises(SystemExit) as caught:
        call_command("export_explanations", *args, "--out", str(tmp_path / "maps.jsonl"))
    assert caught.value.code == 1 and said in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(
    source: tuple[Dataset, Classifier], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit):
        export(source[0], tmp_path / "file" / "maps.jsonl")
    assert "cannot be written" in capsys.readouterr().err
