import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.presets.mturk import read_mturk
from analysis.presets.reading import ChoiceError, InputError
from analysis.study import LABELS, RATING, TOPK_GUESS, Study

FIXED = ["HITId", "AssignmentId", "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds", "AssignmentStatus"]
TIMES = ["Mon Nov 02 08:00:00 PST 2026", "Mon Nov 02 08:00:30 PST 2026"]


def assignment(hit: str, worker: str, status: str = "Approved", seconds: str = "30") -> list[str]:
    return [hit, f"{hit}-{worker}", worker, *TIMES, seconds, status]


def write(folder: Path, columns: list[str], *rows: list[str]) -> Path:
    path = folder / "Batch_1_batch_results.csv"
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([[*FIXED, *columns], *rows])
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def judgments(study: Study) -> pd.DataFrame:
    assert study.judgments is not None
    return study.judgments


def test_it_works(tmp_path: Path) -> None:
    columns = ["Input.text", "Answer.sentiment.label"]
    rows = [[*assignment("H1", "A9"), "so, so\nand so", "good"], [*assignment("H1", "A2"), "so, so\nand so", "bad"]]
    study = read_mturk(write(tmp_path, columns, *rows))
    assert (study.protocol, study.level, study.methods) == (LABELS, "nominal", [])
    assert judgments(study)[["text", "worker", "label", "response_ms"]].to_numpy().tolist() == [
        ["H1", "w1", "good", 30_000], ["H1", "w2", "bad", 30_000],
    ]  # fmt: skip
    assert study.texts is not None
    assert study.texts.to_numpy().tolist() == [["H1", "so, so\nand so", ""]]


def test_workers_ids_are_replaced_by_numbers(tmp_path: Path) -> None:
    study = read_mturk(write(tmp_path, ["Answer.x"], [*assignment("H1", "A2SECRET"), "1"]))
    assert "A2SECRET" not in judgments(study).to_csv()
    assert "Workers are numbered in the order of the file." in study.notices[0][1]


def test_guesses_from_top_words_make_a_study_of_methods(tmp_path: Path) -> None:
    columns = ["Input.text_id", "Input.text", "Input.method", "Input.k", "Input.gold", "Answer.label", "Answer.comment"]
    rows = [
        [*assignment(f"H{n}", worker), "t1", "a b c", method, "5", "pos", label, "none"]
        for n, (worker, method, label) in enumerate(
            [("A", "lime", "pos"), ("B", "lime", "pos"), ("A", "random", "neg")]
        )
    ]
    study = read_mturk(write(tmp_path, columns, *rows))
    assert (study.protocol, study.methods) == (TOPK_GUESS, ["lime", "random"])
    assert study.cells[["text", "method", "k", "recognised", "n"]].values.tolist() == [
        ["t1", "lime", 5, 1, 2], ["t1", "random", 5, 0, 1],
    ]  # fmt: skip


def test_ratings_of_methods_at_a_numeric_level_are_ratings(tmp_path: Path) -> None:
    path = write(
        tmp_path, ["Input.text", "Input.method", "Answer.rating"], [*assignment("H1", "A"), "a b", "lime", "4"]
    )
    study = read_mturk(path, level="ordinal")
    assert (study.protocol, judgments(study)["score"].tolist()) == (RATING, [4.0])
    assert judgments(study)["text"].tolist() == ["a b"]


def test_packed_answers_are_taken_apart(tmp_path: Path) -> None:
    packed = [{"rating": {"1": False, "2": True}, "why": "so", "seen": {"yes": True}}]
    rows = [
        [*assignment("H1", "A"), json.dumps(packed)],
        [*assignment("H1", "B"), json.dumps([{"rating": {"1": True}}])],
    ]
    study = read_mturk(write(tmp_path, ["Answer.taskAnswers"], *rows), answer="rating", level="ordinal")
    assert judgments(study)["label"].tolist() == ["2", "1"]


def test_choices_with_a_column_each_are_one_answer(tmp_path: Path) -> None:
    columns = ["Answer.mood.good", "Answer.mood.bad"]
    rows = [[*assignment("H1", "A"), "true", "false"], [*assignment("H1", "B"), "false", "true"]]
    assert judgments(read_mturk(write(tmp_path, columns, *rows)))["label"].tolist() == ["good", "bad"]


def test_rejected_assignments_are_left_out_and_told(tmp_path: Path) -> None:
    rows = [[*assignment("H1", "A"), "1"], [*assignment("H1", "B", "Rejected"), "2"]]
    study = read_mturk(write(tmp_path, ["Answer.x"], *rows))
    assert judgments(study)["label"].tolist() == ["1"]
    assert study.notices[0] == ("rejected_assignments", "1 rejected assignment is left out (line 3).")


def test_columns_can_be_named_with_or_without_their_prefix(tmp_path: Path) -> None:
    columns = ["Input.a", "Input.b", "Answer.c", "Answer.d"]
    path = write(tmp_path, columns, [*assignment("H1", "A"), "lime", "pos", "pos", "x"])
    study = read_mturk(path, answer="Answer.c", method="a", expected="b")
    assert judgments(study)[["method", "expected", "label", "score"]].to_numpy().tolist() == [
        ["lime", "pos", "pos", 1.0]
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "say which column is the answer: --answer c or --answer d"),
        ({"answer": "e"}, "has no column 'e'; there is Answer.c, Answer.d"),
        ({"answer": "c", "method": "z"}, "has no column 'z'"),
        ({"level": "cardinal"}, "there is no level 'cardinal'"),
    ],
)
def test_what_has_to_be_chosen_is_asked_for(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = write(tmp_path, ["Input.a", "Answer.c", "Answer.d"], [*assignment("H1", "A"), "x", "1", "2"])
    with pytest.raises(ChoiceError, match=message):
        read_mturk(path, **options)


def test_it_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    cases = [
        (
            ["Answer.taskAnswers"],
            [*assignment("H1", "A"), "[{"],
            "line 2, column Answer.taskAnswers: expected answers as JSON",
        ),
        (["Input.a"], [*assignment("H1", "A"), "x"], "line 1: has no column Answer."),
        (["Answer.c"], [*assignment("H1", ""), "x"], "line 2, column WorkerId: expected a name"),
        (
            ["Answer.c"],
            [*assignment("H1", "A", seconds="long"), "x"],
            "line 2, column WorkTimeInSeconds: expected a number",
        ),
        (
            ["Answer.c"],
            [*assignment("H1", "A", "Rejected"), "x"],
            "column AssignmentStatus: every assignment was rejected",
        ),
    ]
    for columns, row, message in cases:
        with pytest.raises(InputError, match=message):
            read_mturk(write(tmp_path, columns, row))


def test_another_file_is_refused_with_the_columns_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("HITId,Answer.x\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: lacks the column.s. WorkerId"):
        read_mturk(path)
