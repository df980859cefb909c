"""Reports of pairs: who won against whom, and how strong each method is."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, Study, study_of_judgments
from reports.presenting import draw_figures, explain_methods, make_figures, make_tables
from reports.reporting import as_json, build_report

FEW = 100
STRENGTHS = {"lime": 0.0, "gradient": 0.4, "integrated_gradients": 0.9, "random": -0.8}


def pairs(*, n: int = 900, ties: bool = True, side: float = 0.5, seed: int = 0, texts: int = 40) -> Study:
    rng = np.random.default_rng(seed)
    names = list(STRENGTHS)
    both = np.array([(i, j) for i in range(4) for j in range(i + 1, 4)])[rng.integers(0, 6, n)]
    own = np.array(list(STRENGTHS.values()))[both]
    left = rng.integers(0, 2, n)
    logs = np.stack([own[:, 0] + side * left, own[:, 1] + side * (1 - left), own.mean(axis=1) - 1], axis=1)
    if not ties:
        logs[:, 2] = -np.inf
    chances = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    outcome = (rng.random((n, 1)) > chances.cumsum(axis=1)).sum(axis=1)
    text, worker = rng.integers(0, texts, n), rng.integers(0, 50, n)
    rows = [
        (f"t{t}", names[i], pd.NA, f"w{w}", ["first", "second", "tie"][o], "", [1.0, 0.0, 0.5][o], 0, 900)
        for t, w, (i, _), o in zip(text, worker, both, outcome, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=JUDGMENT_COLUMNS).assign(other=[names[j] for _, j in both], first_left=left)
    return study_of_judgments("pairwise", frame.drop_duplicates(["text", "worker"]))


def test_it_works() -> None:
    found = build_report(pairs(), replicates=FEW)["bradley_terry"]
    assert (found["model"], found["over"], found["status"]) == ("davidson", "texts_and_workers", "ok")
    assert [row["method"] for row in found["methods"]] == ["integrated_gradients", "gradient", "lime", "random"]
    for row in found["methods"]:
        assert row["ci"][0] < row["log_strength"] < row["ci"][1]
        assert 0 < row["win_chance_ci"][0] < row["win_chance"] < row["win_chance_ci"][1] < 1
        assert row["log_strength"] == pytest.approx(STRENGTHS[row["method"]] - 0.125, abs=0.35)
    assert sum(row["log_strength"] for row in found["methods"]) == pytest.approx(0)
    assert sum(row["win_chance"] for row in found["methods"]) == pytest.approx(2)
    assert found["ties"]["value"] == pytest.approx(np.exp(-1), abs=0.15)
    assert found["side"]["value"] == pytest.approx(np.exp(0.5), abs=0.5) and found["side"]["p"] < 0.05


def test_without_ties_or_sides_neither_is_told() -> None:
    study = pairs(ties=False)
    assert study.answers is not None
    found = build_report(study_of_judgments("pairwise", study.answers.drop(columns="first_left")), replicates=FEW)
    assert found["bradley_terry"]["status"] == "ok"
    assert "ties" not in found["bradley_terry"] and "side" not in found["bradley_terry"]


def undefined(query: str) -> dict[str, Any]:
    answers = pairs().answers
    assert answers is not None
    return build_report(study_of_judgments("pairwise", answers.query(query)), replicates=FEW)


def test_a_method_that_won_all_has_no_strength() -> None:
    report = undefined("method != 'lime' or score == 1")
    assert report["bradley_terry"]["methods"] == [] and report["bradley_terry"]["status"] == "never_beaten"
    messages = [one["message"] for one in report["warnings"] if one["code"] == "strengths_undefined"]
    assert messages == [
        "Strengths by Bradley and Terry are undefined: some methods won every comparison with the others."
    ]
    assert as_json(report) and "bradley_terry" not in draw_figures(report)


def test_methods_that_were_never_compared_have_no_strengths() -> None:
    lone = "(method == 'lime' and other == 'gradient') or (method == 'integrated_gradients' and other == 'random')"
    assert undefined(lone)["bradley_terry"]["status"] == "not_connected"


def test_who_won_against_whom_is_shown_from_both_sides() -> None:
    report = build_report(pairs(), replicates=FEW)
    figure = next(figure for figure in make_figures(report) if figure.name == "wins")
    cells = {(cell["row"][0], cell["column"]): cell for cell in figure.wide["data"]["values"]}
    assert len(cells) == 12
    assert int(cells["1", "4"]["note"]) + int(cells["4", "1"]["note"]) in (99, 100, 101)
    assert cells["1", "4"]["tip"].startswith("Integrated gradients against Random: won ")
    assert {"wins", "bradley_terry"} <= set(draw_figures(report))


def test_pairs_have_intervals_over_texts_and_workers() -> None:
    for row in build_report(pairs(), replicates=FEW)["pairs"]:
        assert row["ci"][0] < row["value"] < row["ci"][1] and row["over"] == "texts_and_workers"


def test_strengths_are_told_in_a_table_and_in_words() -> None:
    report = build_report(pairs(), replicates=FEW)
    table = next(table for table in make_tables(report) if table.name == "bradley_terry")
    assert [row["method"] for row in table.rows][0] == "integrated_gradients"
    assert "Odds in favour of the left side, all else equal: " in " ".join(explain_methods(report))


def test_degrees_of_preference_have_no_strengths() -> None:
    answers = pairs(n=60).answers
    assert answers is not None
    report = build_report(study_of_judgments("pairwise", answers.assign(score=0.7)), replicates=FEW)
    assert "bradley_terry" not in report and report["pairs"]
