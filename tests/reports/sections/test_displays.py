from pathlib import Path

import pytest

from analysis.presets.schuff2022 import read_schuff2022
from reports.presenting import explain_methods, make_tables
from reports.reporting import build_report

HEADER = "human_importance_rating,sentence_id,worker_id,condition\n"


def test_ratings_of_words_are_told_by_how_saliency_was_shown(tmp_path: Path) -> None:
    """Three conditions that differ by a point each, and two sentences that differ by two."""
    path = tmp_path / "responses_correction.csv"
    rows = [
        f"{1 + place + 2 * sentence},s{sentence},w{worker},{condition}\n"
        for place, condition in enumerate(("bars", "corrected", "saliency"))
        for sentence in range(2)
        for worker in range(3)
    ]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    report = build_report(read_schuff2022(path), replicates=50)
    told = [(row["display"], row["value"], row["n"]) for row in report["by_display"]]
    assert told == [("bars", 2.0, 2), ("corrected", 3.0, 2), ("saliency", 4.0, 2)]
    assert report["by_display"][0]["ci"] == [pytest.approx(1), pytest.approx(3)]
    table = next(table for table in make_tables(report) if table.name == "by_display")
    assert [column.name for column in table.columns] == ["display", "value", "ci", "n"]
    assert "Their intervals resample texts." in explain_methods(report)
