"""Reports of ratings by several questions."""

import json

import pandas as pd
import pytest

from analysis.presets.peekaword import study_of_export
from analysis.study import Study
from reports.presenting import draw_figures, explain_methods, make_tables
from reports.reporting import build_report
from tests.reports.studies import rating_study

FEW = 100


def study(*, asked: bool = True) -> Study:
    """LIME is the better by the campaign's question, and the worse by the other."""
    rows = [
        {"campaign": "c", "protocol": "rating", "text_id": f"t{at}", "method": method, "k": pd.NA, "worker": f"w{who}",
         "answer": str(given), "expected": "", "score": given, "counted": 1, "late": 0,
         "details": json.dumps({"answer": given} | ({"useful": 6 - given, "own_1": str(given)} if asked else {}))}
        for at in range(12) for method, good in (("lime", 4), ("random", 2))
        for who in range(3) for given in [good + (at + who) % 2]
    ]  # fmt: skip
    return study_of_export(pd.DataFrame(rows))


def test_it_works() -> None:
    report = build_report(study(), replicates=FEW)
    means = {(row["question"], row["method"]): row["value"] for row in report["questions"]}
    assert means == {
        ("answer", "lime"): pytest.approx(4.5), ("answer", "random"): pytest.approx(2.5),
        ("own_1", "lime"): pytest.approx(4.5), ("own_1", "random"): pytest.approx(2.5),
        ("useful", "lime"): pytest.approx(1.5), ("useful", "random"): pytest.approx(3.5),
    }  # fmt: skip
    row = next(row for row in report["questions"] if (row["question"], row["method"]) == ("useful", "lime"))
    assert row["answers"] == {"1": 18, "2": 18} and (row["n"], row["n_judgments"]) == (12, 36)
    assert row["ci"][0] < 1.5 < row["ci"][1] and row["over"] == "texts_and_workers"
    assert [row["method"] for row in report["methods"]] == ["lime", "random"]


def test_the_campaigns_question_is_the_score() -> None:
    report = build_report(study(), replicates=FEW)
    own = {row["method"]: row["value"] for row in report["questions"] if row["question"] == "answer"}
    assert own == {row["method"]: pytest.approx(row["mean_opinion"]["value"]) for row in report["methods"]}


def test_one_question_has_no_section() -> None:
    assert "questions" not in build_report(study(asked=False), replicates=FEW)
    assert "questions" not in build_report(rating_study(), replicates=FEW)


def test_each_question_has_its_rows_and_its_figure() -> None:
    report = build_report(study(), replicates=FEW)
    table = next(table for table in make_tables(report) if table.name == "questions")
    assert {row[0][1] for row in table.shown()} == {"The campaign's question", "Useful", "Own question 1"}
    assert {"answers_useful", "answers_own_1", "answers_useful_narrow"} <= set(draw_figures(report))
    assert "Workers answered several questions of each text." in " ".join(explain_methods(report))
