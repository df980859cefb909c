"""What reports tell beside the score: words uncovered, words marked, displays."""

import math
from typing import Any

import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, Study, study_of_judgments
from reports.presenting import explain_methods, make_tables, summarise
from reports.reporting import build_report
from reports.tabulating import as_csv

FEW = 50


def study(protocol: str, rows: list[dict[str, Any]]) -> Study:
    usual = {"k": pd.NA, "expected": "", "late": 0, "response_ms": 900, "method": "lime", "score": None}
    columns = [*JUDGMENT_COLUMNS, *sorted({name for row in rows for name in row} - set(JUDGMENT_COLUMNS))]
    return study_of_judgments(protocol, pd.DataFrame([usual | row for row in rows], columns=columns))


def revealed(text: str, worker: str, words: int, right: bool, method: str = "lime") -> dict[str, Any]:
    score = 1 - math.log(words) / math.log(11) if right else 0.0
    label = "pos" if right else "neg"
    return {"text": text, "worker": worker, "label": label, "expected": "pos", "score": score, "method": method,
            "words_needed": words, "words_in_all": 10}  # fmt: skip


def table(report: dict[str, Any], name: str) -> list[list[str]]:
    found = next(one for one in make_tables(report) if one.name == name)
    return [[text for _, text in row] for row in found.shown()]


def test_words_needed_are_those_of_right_answers() -> None:
    rows = [revealed("a", "w1", 2, True), revealed("a", "w2", 9, False), revealed("b", "w1", 4, True)]
    rows += [revealed("a", "w3", 10, False, "random"), revealed("b", "w3", 10, False, "random")]
    report = build_report(study("reveal", rows), replicates=FEW)
    lime, random = report["methods"]
    assert (lime["method"], lime["share_right"]["value"], lime["words_needed"]["value"]) == ("lime", 0.75, 3.0)
    assert lime["words_needed"]["n"] == 2
    assert random["share_right"]["value"] == 0 and random["words_needed"] == {"value": None, "ci": None, "n": 0}
    assert table(report, "methods")[0][5:8:2] == ["75.0 %", "3.0"] and table(report, "methods")[1][7] == "–"
    assert "Under it people were right on 75.0 % of texts, and needed 3.0 words for it" in " ".join(summarise(report))
    csv = as_csv(next(one for one in make_tables(report) if one.name == "methods"))
    assert "words_needed,words_needed_ci_low,words_needed_ci_high" in csv


def test_files_that_do_not_say_how_many_words_there_were_are_read() -> None:
    rows = [{key: value for key, value in revealed("a", "w1", 2, True).items() if "words" not in key}]
    assert build_report(study("reveal", rows), replicates=FEW)["methods"][0]["words_needed"]["value"] is None
    marks = [{"text": "a", "worker": worker, "label": "0-1"} for worker in ("w1", "w2")]
    report = build_report(study("rationale_marking", marks), replicates=FEW)
    assert "marking" not in report and "units" not in report["agreement"][0]


def test_marks_are_compared_word_by_word() -> None:
    rows = [
        {"text": text, "worker": worker, "label": label, "words_in_all": 4}
        for text, worker, label in (("a", "w1", "0-1"), ("a", "w2", "0"), ("b", "w1", "nothing"), ("b", "w2", "3"))
    ]
    report = build_report(study("rationale_marking", rows), replicates=FEW)
    per_cent, alpha, *others = report["agreement"]
    assert [row["coefficient"] for row in others] == ["gwet_ac1", "fleiss_kappa"]
    assert all(row["units"] == "words" and "intervals" not in row for row in report["agreement"])
    assert per_cent["value"] == pytest.approx(0.75) and per_cent["units"] == "words"
    assert (alpha["n_units"], alpha["n_raters"], alpha["n_pairable"]) == (8, 2, 16)
    assert alpha["value"] == pytest.approx(1 - 15 * 2 / (4 * 12))
    overlap = report["marking"].pop("overlap")
    assert report["marking"] == {"n_texts": 2, "mean_words": 1.0, "mean_share": 0.25, "nothing": 0.25}
    # Two words against one of them, and one against none: 2/3 and 0.
    assert overlap["value"] == pytest.approx(1 / 3) and (overlap["n"], overlap["status"]) == (2, "ok")
    report["marking"]["overlap"] = overlap
    assert "overlap by 33.3 %" in " ".join(explain_methods(report))
    said = summarise(report)
    assert said[0] == (
        "In 2 texts workers marked 1.0 words, 25.0 % of those there are; 25.0 % of answers marked nothing."
    )
    assert "over 8 words" in said[1] and any("read alpha" in note for note in explain_methods(report))
    assert [one.name for one in make_tables(report)][:2] == ["marking", "agreement"]


def test_methods_are_told_apart_by_display() -> None:
    rows = [
        {"text": text, "worker": f"{method}{display}{text}", "label": str(score), "score": score,
         "method": method, "display": display}
        for text in ("a", "b")
        for method, display, score in (
            ("lime", "colour", 4), ("lime", "bars", 2), ("random", "colour", 1), ("random", "bars", 3),
            ("no_explanation", "", 5),
        )
    ]  # fmt: skip
    report = build_report(study("rating", rows), replicates=FEW)
    told = [(row["display"], row["method"], row["value"], row["n"]) for row in report["by_display"]]
    assert told == [
        ("bars", "random", 3.0, 2), ("bars", "lime", 2.0, 2), ("colour", "lime", 4.0, 2), ("colour", "random", 1.0, 2),
    ]  # fmt: skip
    assert table(report, "by_display")[0][:3] == ["Bars under words", "Random", "3.000"]
    assert any("how a map is read" in note.replace("\n", " ") for note in explain_methods(report))


def test_one_display_needs_no_table_of_its_own() -> None:
    rows = [{"text": "a", "worker": "w1", "label": "4", "score": 4, "display": "colour"}]
    assert "by_display" not in build_report(study("rating", rows), replicates=FEW)


def preferred(text: str, worker: str, score: float, left: int | None, other: str = "random") -> dict[str, Any]:
    label = {1.0: "first", 0.5: "tie", 0.0: "second"}[score]
    return {"text": text, "worker": worker, "label": label, "score": score, "other": other, "left": left}


def test_each_pair_is_told_with_its_ties() -> None:
    rows = [preferred("a", "w1", 1.0, 1), preferred("a", "w2", 0.5, None), preferred("b", "w1", 0.0, 1)]
    rows += [preferred("b", "w3", 1.0, 0, other="gradient")]
    report = build_report(study("pairwise", rows), replicates=FEW)
    told = {row["other"]: (row["method"], row["value"], row["ties"], row["n"]) for row in report["pairs"]}
    assert told == {"random": ("lime", 0.375, pytest.approx(1 / 3), 3), "gradient": ("lime", 1.0, 0.0, 1)}
    assert table(report, "pairs")[0][:3] == ["LIME", "Gradient", "100.0 %"]
    assert {row["mean_score"] for row in report["workers"]} == {None}


def test_a_habit_of_preferring_one_side_would_show() -> None:
    rows = [preferred(f"t{at}", "w1", float(at % 2), int(at < 8)) for at in range(10)]
    rows += [preferred("tie", "w1", 0.5, None)]
    report = build_report(study("pairwise", rows), replicates=FEW)
    assert report["sides"] == {"left": 0.8, "n": 10, "ci": pytest.approx([0.49, 0.943], abs=0.001)}
    assert "what stood on the left was preferred in 80.0 %" in " ".join(explain_methods(report))


def test_files_without_sides_are_read() -> None:
    rows = [{key: value for key, value in preferred("a", "w1", 1.0, 1).items() if key != "left"}]
    assert "sides" not in build_report(study("pairwise", rows), replicates=FEW)
