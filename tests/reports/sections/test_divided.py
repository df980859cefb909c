"""Texts that split people, and the answers that say so."""

from typing import Any

import pandas as pd
import pytest

from analysis.study import study_of_judgments
from reports.presenting import make_tables
from reports.reporting import build_report


def judgment(text: str, worker: str, label: str, **more: Any) -> dict[str, Any]:
    score = float(label) if label.isdigit() else float(label == "pos")
    return {"text": text, "method": "lime", "k": pd.NA, "worker": worker, "label": label, "expected": "pos",
            "score": score, "late": 0, "response_ms": 100, **more}  # fmt: skip


def divided(protocol: str, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    report = build_report(study_of_judgments(protocol, pd.DataFrame(rows)), replicates=20)
    found: list[dict[str, Any]] = report.get("divided", [])
    return found


def test_it_works() -> None:
    """Of a's three pairs two are unlike; b's one pair is; c is unanimous; d has one answer."""
    rows = [judgment("a", "1", "pos", k=5), judgment("a", "2", "pos", k=5), judgment("a", "3", "neg", k=5)]
    rows += [judgment("b", "1", "pos", k=5), judgment("b", "2", "neg", k=5)]
    rows += [judgment("c", "1", "pos", k=5), judgment("c", "2", "pos", k=5), judgment("d", "1", "pos", k=5)]
    assert divided("topk_guess", *rows) == [
        {"text": "b", "disagreement": 1.0, "n": 2, "answers": {"neg": 1, "pos": 1}},
        {"text": "a", "disagreement": pytest.approx(2 / 3), "n": 3, "answers": {"neg": 1, "pos": 2}},
    ]


def test_points_of_a_scale_differ_by_their_distance() -> None:
    """Pairs of 1, 2, 5 are 1, 4 and 3 apart."""
    rows = [judgment("a", str(number), label) for number, label in enumerate("125")]
    assert divided("rating", *rows)[0]["disagreement"] == pytest.approx(8 / 3)


@pytest.mark.parametrize(
    ("points", "said"),
    [(["9", "10", "10"], "9: 1, 10: 2"), ([str(point) for point in range(0, 101, 5)], "0 to 100, median 50")],
)
def test_points_are_told_in_their_order_and_many_by_where_they_lie(points: list[str], said: str) -> None:
    rows = [judgment("a", str(number), label) for number, label in enumerate(points)]
    tables = make_tables(build_report(study_of_judgments("rating", pd.DataFrame(rows)), replicates=20))
    assert [row["said"] for table in tables if table.name == "divided" for row in table.rows] == [said]


def test_answers_to_different_questions_are_not_compared() -> None:
    rows = [judgment("a", "1", "pos", k=5), judgment("a", "2", "neg", k=10)]
    assert divided("topk_guess", *rows) == []


def test_ids_stand_in_the_table_as_they_are() -> None:
    rows = [judgment("text_1", "1", "pos", k=5), judgment("text_1", "2", "cannot_tell", k=5)]
    report = build_report(study_of_judgments("topk_guess", pd.DataFrame(rows)), replicates=20)
    table = next(table for table in make_tables(report) if table.name == "divided")
    assert [text for _, text in table.shown()[0]] == ["text_1", "1.00", "2", "cannot tell: 1, pos: 1"]
