"""Labels put together in the report."""

import numpy as np
import pandas as pd
import pytest

from analysis.aggregation.registry import AGGREGATIONS
from analysis.study import JUDGMENT_COLUMNS, LABELS, TOPK_GUESS, Study, study_of_judgments
from reports.measuring import Settings
from reports.reporting import build_report
from reports.sections.aggregation import SECTION, describe_aggregation
from reports.sections.section import Matter, Report
from tests.reports.studies import guessing_study, rating_study


def spammed_study(protocol: str = TOPK_GUESS, expected: bool = True, n: int = 60) -> Study:
    """Three careful workers and four who mostly say positive."""
    rng = np.random.default_rng(3)
    rows = []
    for text in range(n):
        truth = ("negative", "positive")[text % 2]
        for worker in range(7):
            right = rng.random() < 0.95
            label = (
                truth if (worker < 3 and right) else "positive" if worker >= 3 and rng.random() < 0.8 else "negative"
            )
            told = truth if expected else ""
            rows.append((f"t{text}", "lime", 5, f"w{worker}", label, told, float(label == truth), 0, 3000))
    frame = pd.DataFrame(rows, columns=JUDGMENT_COLUMNS)
    return study_of_judgments(protocol, frame, level="nominal" if protocol == LABELS else "")


def put_together(study: Study) -> Report:
    return {"aggregation": describe_aggregation(Matter(study, Settings(0, 50)))}


@pytest.fixture(scope="module")
def spammed() -> Report:
    return put_together(spammed_study())


def test_it_works(spammed: Report) -> None:
    found = spammed["aggregation"]
    assert (found["n_tasks"], found["n_votes"], found["n_labels"]) == (60, 420, 2)
    rows = {row["aggregation"]: row for row in found["aggregations"]}
    assert list(rows) == list(AGGREGATIONS)
    assert rows["dawid_skene"]["accuracy"] > rows["majority"]["accuracy"] + 0.1
    assert rows["dawid_skene"]["gain"] == pytest.approx(rows["dawid_skene"]["accuracy"] - rows["majority"]["accuracy"])
    assert rows["dawid_skene"]["gain_ci"][0] > 0 and rows["majority"]["gain"] is None
    assert rows["majority"]["same_as_majority"] == 1.0


def test_workers_are_told_by_each_aggregation(spammed: Report) -> None:
    found = spammed["aggregation"]
    competence = {row["worker"]: row["mace"] for row in found["workers"]}
    assert min(competence[f"w{n}"] for n in range(3)) > 0.7 > 0.4 > max(competence[f"w{n}"] for n in range(3, 7))


def test_it_says_which_aggregation_is_right_most_often(spammed: Report) -> None:
    told = SECTION.findings(spammed)
    assert len(told) == 1 and "are right most often" in told[0] and "points against the majority" in told[0]


def test_without_expected_labels_there_is_no_accuracy_but_competence() -> None:
    report = put_together(spammed_study(LABELS, expected=False))
    assert {row["accuracy"] for row in report["aggregation"]["aggregations"]} == {None}
    assert SECTION.findings(report) == []
    assert [len(table.rows) for table in SECTION.tables(report)] == [6, 7]


def test_ratings_are_not_put_together() -> None:
    assert put_together(rating_study()) == {"aggregation": None}


def test_one_answer_each_is_not_put_together() -> None:
    assert put_together(guessing_study(votes=1)) == {"aggregation": None}


def test_models_that_do_not_fit_in_memory_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    study = spammed_study(n=5)
    monkeypatch.setattr("analysis.aggregation.votes.MOST_CELLS", 20)
    report = build_report(study, replicates=20)
    assert report["aggregation"]["aggregations"][-1] == {"aggregation": "dawid_skene", "status": "too_many_labels"}
    assert "aggregation_undefined" in [row["code"] for row in report["warnings"]]
