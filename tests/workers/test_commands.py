"""`explain` and `score`, from file to file without a database."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from django.core.management import call_command

from catalogue.methods import METHODS as ALL
from catalogue.metrics import METRICS, RATIONALE
from materials.explaining import full_params
from tests.workers.tiny import save_tiny
from workers.saliency import METHODS as SALIENCY
from workers.storing import EXPLANATIONS, read_about, table_writer

METHODS = {name: method for name, method in ALL.items() if "transformer" in method.classifier_kinds}

ROOT = Path(__file__).resolve().parents[2]
Folders = Callable[[str], Path]
CONTRACT = ["text_id", "method", "params", "target", "predicted", "probability", "words", "offsets", "scores"]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    path.write_text('id,text\na,a great film\nb,"an awful,\nboring film"\nc,👍🏽\n', encoding="utf-8")
    return path


@pytest.fixture
def tiny(folders: Folders) -> str:
    return str(folders("bert"))


def rows(path: Path) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return table


def refused(code: int, *arguments: Any) -> None:
    with pytest.raises(SystemExit) as end:
        call_command(*map(str, arguments))
    assert end.value.code == code


def test_explain_works(texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "out.parquet"
    call_command("explain", str(texts), classifier=tiny, methods="all", out=out)
    made = rows(out)
    assert list(made[0])[: len(CONTRACT) + 1] == [*CONTRACT, "seconds"]
    assert [(row["text_id"], row["method"]) for row in made] == [(key, name) for key in "abc" for name in METHODS]
    assert made[len(METHODS)]["words"] == ["an", "awful", ",", "boring", "film"]
    assert made[len(METHODS)]["offsets"] == [[0, 2], [3, 8], [8, 9], [10, 16], [17, 21]]
    by_method = {row["method"]: row for row in made if row["text_id"] == "b"}
    assert json.loads(by_method["lime"]["params"]) == full_params("lime")
    assert all(0 <= row["probability"] <= 1 and row["seconds"] >= 0 for row in made)
    assert all((row["completeness_error"] is not None) == METHODS[row["method"]].complete for row in made)
    assert by_method["gradient"]["special_pieces"] == ["[CLS]", "[SEP]"]
    assert f"{3 * len(METHODS)} explanations in" in capsys.readouterr().out


def test_explain_also_writes_pages(texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, page = tmp_path / "out.parquet", tmp_path / "maps.html"
    call_command("explain", str(texts), classifier=tiny, methods="gradient,random", out=out, html=page)
    html = page.read_text(encoding="utf-8")
    assert (
        html.count('class="picture') == 3 and html.count("<article") == 6 and f"Open {page}" in capsys.readouterr().out
    )
    assert len(rows(out)[0]["probabilities"]) >= 2
    (tmp_path / "taken").write_text("")
    refused(
        2, "explain", texts, "--classifier", tiny, "--methods", "random", "--out", out, "--html", tmp_path / "taken"
    )


def test_score_works(texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, scored = tmp_path / "out.parquet", tmp_path / "scored.parquet"
    call_command("explain", str(texts), classifier=tiny, methods="gradient,random", out=out)
    call_command("score", str(out), classifier=tiny, metrics="all", out=scored)
    made = rows(scored)
    assert list(made[0])[:5] == ["text_id", "method", "metric", "params", "value"]
    assert [(row["text_id"], row["method"], row["metric"]) for row in made] == [
        (key, name, metric) for key in "abc" for name in ("gradient", "random") for metric in METRICS
    ]
    erased = [row for row in made if row["metric"] in ("comprehensiveness", "sufficiency")]
    assert all(math.isfinite(row["value"]) for row in erased[:8])
    assert {(row["value"], row["status"]) for row in erased[8:]} == {(None, "fewer than two words")}
    compared = [row for row in made if METRICS[row["metric"]].needs == RATIONALE]
    assert {(row["value"], row["status"]) for row in compared} == {(None, "no rationale")}
    said = capsys.readouterr().out
    assert f"{sum(row['value'] is not None for row in made)} scores in" in said
    mean = (
        sum(
            row["value"]
            for row in erased
            if row["method"] == "random" and row["metric"] == "sufficiency" and row["value"] is not None
        )
        / 2
    )
    assert re.search(rf"^random +\S+ +{mean:.3f} ", said, re.MULTILINE)


def test_score_compares_with_what_people_marked(tiny: str, tmp_path: Path) -> None:
    texts, out, scored = (tmp_path / name for name in ("texts.csv", "out.parquet", "scored.parquet"))
    texts.write_text('id,text,rationale\na,a great film,"[0, 1, 0]"\nb,an awful film,\n', encoding="utf-8")
    call_command("explain", str(texts), classifier=tiny, methods="gradient", out=out)
    (marked, unmarked) = rows(out)
    assert (marked["rationale"], unmarked["rationale"]) == ([[2.0, 7.0]], None)
    call_command("score", str(out), classifier=tiny, metrics="pointing_game,token_f1", out=scored)
    points = float(max(marked["scores"]) == marked["scores"][1])
    assert [(row["value"], row["status"]) for row in rows(scored)] == [
        (points, ""), (points, ""), (None, "no rationale"), (None, "no rationale"),
    ]  # fmt: skip


def test_what_people_marked_may_come_from_another_file(
    texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, scored, marks = (tmp_path / name for name in ("out.parquet", "scored.parquet", "marks.jsonl"))
    call_command("explain", str(texts), classifier=tiny, methods="gradient", out=out)
    marks.write_text(
        '{"annotation_id": "a", "evidences": [[{"start_token": 1, "end_token": 2, "text": "great"}]]}\n'
        '{"annotation_id": "b", "evidences": [[{"start_token": 1, "end_token": 2, "text": "awful,"}]]}\n'
    )
    said = {"classifier": tiny, "metrics": "auprc", "out": scored, "rationales": marks}
    call_command("score", str(out), **said)
    first, second, third = rows(scored)
    assert first["value"] in (1.0, 0.5, pytest.approx(1 / 3)) and 0 < second["value"] <= 1
    assert (third["value"], third["status"]) == (None, "no rationale")
    for content, problem in (
        ('{"id": "a", "rationale": [[0, 99]]}\n', "marks.jsonl, line 1: rationale holds the span [0, 99]"),
        ('{"id": "a", "rationale": "all"}\n', "marks.jsonl, line 1: rationale is no list of spans"),
        ('{"id": "a", "marks": []}\n', "marks.jsonl: has the columns id, marks; expected rationale or evidences"),
        ('{"id": "a", "rationale": []}\n{\n', "marks.jsonl, line 2: is not JSON"),
    ):
        marks.write_text(content)
        refused(1, "score", out, "--classifier", tiny, "--metrics=auprc", f"--out={scored}", f"--rationales={marks}")
        assert problem in capsys.readouterr().err


def test_what_people_marked_needs_no_classifier(
    texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts.write_text('id,text,rationale\na,a great film,"[0, 1, 0]"\n', encoding="utf-8")
    out, with_it, without = (tmp_path / name for name in ("out.parquet", "with.parquet", "without.parquet"))
    call_command("explain", str(texts), classifier=tiny, methods="gradient,random", out=out)
    call_command("score", str(out), classifier=tiny, metrics="auprc,token_f1", out=with_it)
    call_command("score", str(out), metrics="auprc,token_f1", out=without)
    assert rows(without) == rows(with_it) and len(rows(without)) == 4
    assert read_about(without)["weights_hash"] == read_about(with_it)["weights_hash"]
    refused(2, "score", out, "--metrics", "auprc,sufficiency", "--out", without)
    assert "Say --classifier too: sufficiency runs it; only metrics that" in capsys.readouterr().err
    refused(2, "explain", texts, "--methods", "gradient", "--out", out)
    assert "Say --classifier too: gradient runs it" in capsys.readouterr().err


def test_bad_rows_are_named_and_the_others_are_done(
    tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("id,text\na,a film\nb,\na,again\nc,\u200b\n", encoding="utf-8")
    call_command("explain", str(path), classifier=tiny, methods="gradient", out=tmp_path / "out.parquet")
    said = capsys.readouterr()
    assert "texts.csv, line 3: text is empty." in said.err
    assert "texts.csv, line 4: id is the same as in line 2." in said.err
    assert "texts.csv, text c: The classifier sees no word in this text." in said.err
    assert "1 explanation in" in said.out and "3 failures" in said.out
    assert [row["text_id"] for row in rows(tmp_path / "out.parquet")] == ["a"]


def test_without_an_id_the_line_names_the_text(tiny: str, tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    path.write_text("Text\na film\nan awful film\n")
    call_command("explain", str(path), classifier=tiny, methods="gradient", out=tmp_path / "out.parquet")
    assert [row["text_id"] for row in rows(tmp_path / "out.parquet")] == ["2", "3"]


@pytest.mark.parametrize("command", ["explain", "score"])
def test_list_names_everything(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command(command, list=True)
    listed = capsys.readouterr().out
    assert all(f"{name}: " in listed for name in (ALL if command == "explain" else METRICS))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--methods", "magic"], "No such method: magic."),
        (["--methods", "gradient", "--params", "{"], "no JSON"),
        ([], "Say --methods too; see --help."),
    ],
)
def test_bad_usage_ends_with_2(
    texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    refused(2, "explain", texts, "--classifier", tiny, "--out", tmp_path / "out.parquet", *arguments)
    assert said in capsys.readouterr().err


def test_what_cannot_be_read_ends_with_1(
    texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ("--methods", "gradient", "--out", tmp_path / "out.parquet")
    refused(1, "explain", texts, "--classifier", tmp_path / "gone", *rest)
    assert "No such folder:" in capsys.readouterr().err
    refused(1, "explain", tmp_path / "gone.csv", "--classifier", tiny, *rest)
    assert "gone.csv: is not there: check the path." in capsys.readouterr().err
    assert not (tmp_path / "out.parquet").exists()


def test_score_insists_on_the_classifier_that_was_explained(
    texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.parquet"
    call_command("explain", str(texts), classifier=tiny, methods="random", out=out)
    other = save_tiny(tmp_path / "other", seed=5)
    rest = ("--metrics", "all", "--out", tmp_path / "scored.parquet")
    refused(1, "score", out, "--classifier", other, *rest)
    assert "was made with other weights" in capsys.readouterr().err
    refused(1, "score", texts, "--classifier", tiny, *rest)
    assert "is no Parquet file: give the file that `explain` wrote" in capsys.readouterr().err


def test_an_unfinished_file_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), table_writer(tmp_path / "out.parquet", EXPLANATIONS, {}) as write:
        write({"text_id": "a"})
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_it_runs_as_a_command_without_any_server(texts: Path, tiny: str, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    arguments = [str(texts), "--classifier", tiny, "--methods", "random", "--out", str(out)]
    command = [sys.executable, "manage.py", "explain", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "PEEKAWORD_VAR": str(tmp_path / "var"), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(rows(out)) == 3 and not (tmp_path / "var" / "run").exists()


def test_no_input_is_written_over(texts: Path, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts.read_bytes()
    refused(2, "explain", texts, "--classifier", tiny, "--methods", "gradient", "--out", texts)
    assert texts.read_bytes() == before
    refused(2, "score", texts, "--classifier", tiny, "--metrics", "all", "--out", texts)
    assert texts.read_bytes() == before
    assert capsys.readouterr().err.count("is the file to be read, and would be lost") == 2


def test_a_folder_is_refused_before_anything_is_computed(
    texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(2, "explain", texts, "--classifier", "./nowhere", "--methods", "gradient", "--out", tmp_path)
    assert "is a folder: name a file in it" in capsys.readouterr().err


def test_a_device_is_refused_and_not_replaced(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(device := tmp_path / "null")
    refused(2, "explain", texts, "--classifier", "./nowhere", "--methods", "gradient", "--out", device)
    assert "is a device, not a file" in capsys.readouterr().err
    assert device.is_fifo()


def test_an_interrupt_is_one_line_and_leaves_nothing_half_written(
    texts: Path, tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(SALIENCY, "random", interrupted)
    out = tmp_path / "out.parquet"
    refused(1, "explain", texts, "--classifier", tiny, "--methods", "gradient,random", "--out", out)
    assert "Interrupted: nothing was written." in capsys.readouterr().err
    assert not list(tmp_path.glob("*out*"))
