import csv
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team
from materials.models import Classifier, Dataset, Explanation, ImportedMethod, Text
from tests.materials.actors import films, judge, predict_right, sha256
from workers.storing import EXPLANATIONS

CONTENTS = {"a": "A fine film!", "b": "Dull, dull & long 😴", "c": "cafe\u0301\r\nnoir"}


@pytest.fixture
def dataset(team: Team) -> Dataset:
    dataset = films(team, {})
    for key, content in CONTENTS.items():
        dataset.texts.create(key=key, content=content, content_hash=sha256(content), label="neg")
    return dataset


@pytest.fixture
def critic(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return classifier


def row(**changes: Any) -> dict[str, Any]:
    values = {"text_id": "a", "method": "mine", "words": ["A", "fine", "film"], "scores": [0.1, 2, -1e-320]} | changes
    return {name: value for name, value in values.items() if value is not None}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "maps.jsonl", row())


def run(file: Path, *args: object) -> None:
    call_command("import_explanations", str(file), "--dataset=Films", *map(str, args))


def failure(file: Path, *args: object) -> int | str | None:
    with pytest.raises(SystemExit) as caught:
        run(file, *args)
    return caught.value.code


def test_it_works(critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(file)
    said = capsys.readouterr().out
    assert "Maps: 1 taken, 0 there already, 0 rejected." in said and "Methods: mine (imported)." in said
    made = Explanation.objects.get()
    assert (made.text.key, made.classifier, made.method, made.target) == ("a", critic, "imported:mine", 0)
    assert (made.starts, made.ends) == ([0, 2, 7, 11], [1, 6, 11, 12])
    assert made.scores == [0.1, 2.0, -1e-320, None] and made.special == [] and made.params == {}


def test_the_same_file_again_changes_nothing(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(file, row(), row(), row(text_id="b", words=["Dull"], scores=[1]))
    run(file)
    assert "Maps: 2 taken, 1 there already" in capsys.readouterr().out
    run(file)
    assert "Maps: 0 taken, 3 there already, 0 rejected." in capsys.readouterr().out
    assert Explanation.objects.count() == 2 and ImportedMethod.objects.count() == 1


def test_tokens_are_merged_to_words_and_special_ones_kept(critic: Classifier, file: Path) -> None:
    tokens = ["[CLS]", "dull", ",", "du", "##ll", "&", "long", "[UNK]", "[SEP]"]
    write(file, row(text_id="b", words=None, tokens=tokens, scores=[9, 1, 2, 3, 0.5, 4, 5, 6, 7]))
    run(file)
    made = Explanation.objects.get()
    assert made.scores == [1.0, 2.0, 3.5, 4.0, 5.0, 6.0] and made.special == [["[CLS]", 9.0], ["[SEP]", 7.0]]


def test_rejected_rows_stop_the_import_and_leave_nothing(
    critic: Classifier, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row(), row(text_id="z"), row(scores=[1]), "no json", row(scores=[1, 2, 3]), row(text_id=None, text="=1")]
    write(file, *rows)
    assert failure(file, "--rejected", tmp_path / "out.csv") == 1
    assert not Explanation.objects.exists() and not ImportedMethod.objects.exists()
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "maps.jsonl, line 2, text_id: 'z' is the id of no text of Films"
    assert said[-1] == "Nothing was imported: mend the rows, or say --accept-rest to import the others."
    with (tmp_path / "out.csv").open(newline="") as out:
        assert [(line["line"], line["column"]) for line in csv.DictReader(out)] == [
            ("2", "text_id"), ("3", "words"), ("4", ""), ("5", "scores"), ("6", "text"),
        ]  # fmt: skip


def test_the_rest_can_be_accepted(critic: Classifier, file: Path) -> None:
    write(file, row(), row(text_id="z"))
    run(file, "--accept-rest")
    assert Explanation.objects.count() == 1


def test_another_map_in_the_place_of_one_is_told(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(file, row(), row(scores=[3, 2, 1]))
    assert failure(file) == 1
    assert "line 2, scores: differ from those in line 1 of the same text, method and target" in capsys.readouterr().err
    write(file, row())
    run(file)
    write(file, row(scores=[3, 2, 1]))
    assert failure(file) == 1
    assert "line 1, scores: differ from those imported before" in capsys.readouterr().err
    run(file, "--method=other")
    assert Explanation.objects.count() == 2


def test_other_parameters_or_sources_are_another_method(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(file, row(), row(params={"shots": 3}), row(source="a chat"))
    run(file)
    assert "mine (imported), mine 2 (imported), mine 3 (imported)" in capsys.readouterr().out
    run(file)
    assert ImportedMethod.objects.count() == 3


def test_what_differs_in_every_row_is_no_method(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(file, *(row(params={"run": number}) for number in range(51)))
    assert failure(file) == 1
    assert "The file makes more than 50 methods" in capsys.readouterr().err and not ImportedMethod.objects.exists()


def test_a_method_stays_signed_or_unsigned(critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(file, row(scores=[1, 2, 3]))
    run(file, "--unsigned")
    assert not ImportedMethod.objects.get().signed
    assert failure(file) == 1
    assert "mine was imported as unsigned before and would be signed now" in capsys.readouterr().err


def test_texts_without_a_prediction_need_a_target(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    critic.predictions.all().delete()
    assert failure(file) == 1
    assert "Critic has not predicted this text yet: evaluate it first, or give the target" in capsys.readouterr().err
    write(file, row(target="pos"))
    run(file)
    assert Explanation.objects.get().target == 1


def test_a_text_is_found_by_its_content(critic: Classifier, file: Path) -> None:
    write(file, row(text_id="17", text=CONTENTS["c"], words=["café", "noir"], scores=[1, 2]))
    run(file)
    made = Explanation.objects.get()
    assert made.text.key == "c" and made.scores == [1.0, 2.0]


def test_each_row_may_name_its_classifier(critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = judge(critic.team, ["neg", "pos"], "Other")
    write(file, row(classifier="other", target=0), row(classifier="critic"))
    run(file)
    assert set(Explanation.objects.values_list("classifier__slug", flat=True)) == {"critic", "other"}
    write(file, row(classifier="critic"), row())
    assert failure(file) == 1
    assert "classifier: is '': say which one the maps explain (--classifier SLUG); there are" in capsys.readouterr().err
    write(file, row(classifier="critic", scores=[1, 1, 1], method="new", target=1))
    run(file, "--classifier=other")
    assert Explanation.objects.get(method="imported:new").classifier == other


def test_where_nobody_names_one_of_several_classifiers_it_is_one_line(
    critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(critic.team, ["neg", "pos"], "Other")
    write(file, row(), row(text_id="b", words=["Dull"], scores=[1]))
    assert failure(file) == 2
    assert capsys.readouterr().err == (
        "Nothing says which classifier the maps explain: choose it (--classifier SLUG), or add a column classifier; "
        "there are critic, other.\n"
    )


def test_words_that_are_not_mentioned_may_be_zero(critic: Classifier, file: Path) -> None:
    run(file, "--rest-zero")
    assert Explanation.objects.get().scores == [0.1, 2.0, -1e-320, 0.0]


def test_what_ferret_and_thermostat_write_is_read(critic: Classifier, tmp_path: Path) -> None:
    ferret = {
        "text": "A fine film!",
        "tokens": ["[CLS]", "a", "fine", "film", "!", "[SEP]"],
        "scores": [0.0, 0.1, 0.5, 0.3, 0.1, 0.0],
        "explainer": "LIME",
        "target_pos_idx": 1,
        "helper_type": "text-classification",
        "target": "pos",
    }
    path = tmp_path / "ferret.json"
    path.write_text(json.dumps([ferret], indent=1))
    run(path)
    assert Explanation.objects.get().method == "imported:LIME" and Explanation.objects.get().target == 1
    thermostat = {"idx": "a", "attributions": [1, 2, 3], "input_ids": [1, 2, 3], "tokens": ["a", "fine", "film"]}
    run(write(tmp_path / "thermostat.jsonl", thermostat), "--method=lig", "--source=thermostat imdb-bert-lig")
    assert ImportedMethod.objects.get(title="lig").source == "thermostat imdb-bert-lig"


def test_parquet_as_explain_writes_it_is_read(critic: Classifier, tmp_path: Path) -> None:
    content = CONTENTS["b"]
    values = {
        "text_id": "2", "method": "integrated_gradients", "params": '{"nodes": 20}', "target": 0, "predicted": 0,
        "probability": 0.9, "words": ["Dull", ",", "dull", "&", "long", "😴"],
        "offsets": [[0, 4], [4, 5], [6, 10], [11, 12], [13, 17], [18, 19]], "scores": [0.5, 0.1, 0.25, None, -1.0, 3.0],
        "seconds": 0.5, "completeness_error": 0.01, "seed": 5, "text": content, "language": "",
    }  # fmt: skip
    path = tmp_path / "maps.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([values], schema=EXPLANATIONS), path)
    run(path)
    made = Explanation.objects.get()
    assert (made.method, made.params, made.seed, made.seconds) == (
        "imported:integrated_gradients", {"nodes": 20}, 5, 0.5,
    )  # fmt: skip
    assert made.scores == values["scores"] and made.completeness_error == 0.01


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ({"input_ids": [1], "attributions": [1.0], "idx": 0}, "which only their tokenizer can read: add a column tok"),
        ({"text_id": "a", "words": ["A"]}, "has no scores; it has 'text_id', 'words'"),
        ({"text_id": "a", "scores": [1]}, "has no offsets, words or tokens"),
        ({"words": ["A"], "scores": [1], "method": "m"}, "names no text"),
        ({"text_id": "a", "words": ["A"], "scores": [1]}, "names no method: add a column method, or say --method"),
        ("[1", "is no JSON list"),
        ("[]", "has no rows"),
        ("3", "is no object"),
        ("{", "is not JSON"),
    ],
)
def test_a_file_of_no_maps_is_one_line(
    critic: Classifier, file: Path, first: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(file, first)
    assert failure(file) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("maps.jsonl") and said in lines[0]


def test_other_files_are_told(critic: Classifier, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "maps.csv").write_text("text,scores\n")
    (tmp_path / "maps.parquet").write_bytes(b"PAR1 no more")
    for name, said in (
        ("maps.csv", "expected JSON lines (.jsonl) or Parquet"),
        ("maps.parquet", "is damaged, or no Parquet file"),
        ("none.jsonl", "is not there"),
    ):
        assert failure(tmp_path / name) == 1
        assert said in capsys.readouterr().err


def test_what_is_not_there_is_named(critic: Classifier, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("import_explanations", str(file), "--dataset=Books")
    assert "Saliency lab has no dataset called 'Books': there are Films." in capsys.readouterr().err
    assert failure(file, "--classifier=nobody") == 1
    assert "No ready classifier is called 'nobody': there are critic." in capsys.readouterr().err
    Classifier.objects.update(state=Classifier.State.FAILED)
    assert failure(file) == 1
    assert "No classifier is ready" in capsys.readouterr().err


def test_bad_usage_is_told_apart(critic: Classifier, file: Path) -> None:
    with pytest.raises(CommandError, match="expected at most 45 printable characters"):
        run(file, f"--method={'x' * 46}")
    with pytest.raises(CommandError):
        call_command("import_explanations", str(file))


def test_maps_of_thousands_of_texts_take_few_queries(team: Team, file: Path) -> None:
    dataset = films(team, {"neg": 600}, words=10)
    classifier = judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    texts = Text.objects.values_list("key", "content")
    write(file, *(row(text_id=key, words=content.split(), scores=[0.5] * 10) for key, content in texts))
    with CaptureQueriesContext(connection) as queries:
        run(file)
    assert Explanation.objects.count() == 600 and len(queries) < 40
