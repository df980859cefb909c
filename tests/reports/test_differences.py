"""Every two methods compared, and the mean ranks of all."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

from analysis.presets.lu2024 import read_lu2024
from analysis.study import Study, study_of_judgments
from reports.drawing import NARROW
from reports.presenting import draw_figures, explain_methods, make_figures, make_tables, summarise
from reports.reporting import as_json, build_report
from tests.analysis.published import published
from tests.reports.studies import METHODS, guessing_study, rating_study

FEW = 100


@cache
def of_published() -> dict[str, Any]:
    return build_report(read_lu2024(published("lu2024/IMDB.csv")), replicates=200)


def between(report: dict[str, Any], method: str, other: str) -> dict[str, Any]:
    return next(row for row in report["differences"] if (row["method"], row["other"]) == (method, other))


def test_it_works() -> None:
    report = build_report(guessing_study(), replicates=FEW)
    assert [(row["method"], row["other"]) for row in report["differences"]] == [
        (METHODS[i], METHODS[j]) for i in range(4) for j in range(i + 1, 4)
    ]
    row = between(report, "integrated_gradients", "random")
    assert row["ci"][0] < row["difference"] < row["ci"][1] and row["over"] == "texts_and_workers"
    assert (row["n"], row["status"]) == (20, "ok")
    assert set(row["tests"]) == {"sign_flip", "wilcoxon", "texts_and_workers", "mcnemar", "mcnemar_by_text"}
    assert set(row["effects"]) == {"d_z", "rank_biserial", "cohen_h", "cohen_g"}
    assert all(found["p"] <= found["p_bh"] <= found["p_holm"] <= 1 for found in row["tests"].values())


def test_published_verdicts_are_compared_by_text_alone() -> None:
    """Seeds A: of Integrated_Gradient against Random 221 and 29 discordant pairs, p 9.2e-38."""
    row = between(of_published(), "integrated_gradients", "random")
    found = row["tests"]["mcnemar"]
    assert (found["method_only"], found["other_only"], f"{found['p']:.1e}") == (221, 29, "9.2e-38")
    assert row["effects"]["cohen_g"]["value"] == pytest.approx(221 / 250 - 0.5)
    assert row["difference"] == pytest.approx(0.818 - 0.434) and row["over"] == "texts"
    assert "texts_and_workers" not in row["tests"]


def test_p_values_are_adjusted_over_all_pairs() -> None:
    rows = of_published()["differences"]
    assert len(rows) == 28
    p = [row["tests"]["wilcoxon"]["p"] for row in rows]
    for key, method in (("p_holm", "holm"), ("p_bh", "fdr_bh")):
        assert [row["tests"]["wilcoxon"][key] for row in rows] == pytest.approx(multipletests(p, method=method)[1])


def test_differences_from_an_arm_are_the_same_in_both_places() -> None:
    report = of_published()
    for method in report["methods"]:
        if method["method"] not in ("random", "lime"):
            row = between(report, method["method"], "random")
            assert method["vs_random"]["difference"] == row["difference"] and method["vs_random"]["ci"] == row["ci"]
            assert method["vs_random"]["p_clustered"] == row["tests"]["sign_flip"]["p"]


def test_ratings_have_no_verdicts_to_compare() -> None:
    row = between(build_report(rating_study(), replicates=FEW), "integrated_gradients", "random")
    assert set(row["tests"]) == {"sign_flip", "wilcoxon", "texts_and_workers"}
    assert set(row["effects"]) == {"d_z", "rank_biserial"}


def only(study: Study, query: str) -> Study:
    assert study.judgments is not None
    return study_of_judgments(study.protocol, study.judgments.query(query))


def test_methods_that_share_no_text_are_not_compared() -> None:
    first = [f"t{at}" for at in range(10)]
    study = only(
        rating_study(), f"(method == 'lime' and text in {first}) or (method == 'random' and text not in {first})"
    )
    report = build_report(study, replicates=FEW)
    [row] = report["differences"]
    assert (row["difference"], row["ci"], row["n"], row["status"]) == (None, None, 0, "never_on_one_text")
    table = next(table for table in make_tables(report) if table.name == "differences")
    assert table.shown()[0][-1][1] == "the two were never judged on one text"


def test_where_nothing_differs_there_are_differences_and_no_effects() -> None:
    study = rating_study()
    assert study.judgments is not None
    report = build_report(study_of_judgments("rating", study.judgments.assign(label="3", score=3.0)), replicates=FEW)
    row = report["differences"][0]
    assert row["difference"] == 0 and row["tests"]["wilcoxon"]["p"] == 1
    assert row["tests"]["texts_and_workers"]["p"] is None
    assert row["effects"]["d_z"] == {"value": None, "ci": None, "over": "texts", "status": "nothing_differs"}
    assert as_json(report) and draw_figures(report)


def test_one_method_has_nothing_to_differ_from() -> None:
    report = build_report(only(rating_study(), "method == 'lime'"), replicates=FEW)
    assert "differences" not in report and "critical_difference" not in report


def test_the_matrix_shows_each_pair_from_both_sides() -> None:
    figure = next(figure for figure in make_figures(of_published()) if figure.name == "differences")
    cells = figure.wide["data"]["values"]
    assert len(cells) == 56
    shown = {(cell["row"].split("  ")[1], cell["column"]): cell["note"] for cell in cells}
    assert shown["Integrated gradients", "7"] == "+38*" and shown["Random", "1"] == "-38*"
    assert shown["Gradient", "3"] == shown["Attention (all layers)", "2"] == "0"
    assert figure.narrow["width"] <= NARROW


def test_it_is_told_in_words() -> None:
    report = of_published()
    sure = sum(row["tests"]["sign_flip"]["p_holm"] < 0.05 for row in report["differences"])
    assert f"Of the 28 pairs of methods, {sure} differ" in " ".join(summarise(report))
    notes = " ".join(explain_methods(report))
    assert "Benjamini and Hochberg" in notes and "by text and worker sets" not in notes
    assert "by text and worker sets" in " ".join(explain_methods(build_report(guessing_study(), replicates=FEW)))


def test_the_critical_difference_of_the_published_verdicts() -> None:
    """By hand: q of 8 methods is 3.031 (Demsar 2006, table 5), times the root of 8 * 9 / (6 * 100)."""
    found = of_published()["critical_difference"]
    assert found["value"] == pytest.approx(3.031 * np.sqrt(72 / 600), abs=1e-3)
    assert (found["n"], found["status"], found["over"]) == (100, "ok", "texts")
    assert [row["method"] for row in found["mean_ranks"]][0] == "integrated_gradients"
    assert sum(row["mean_rank"] for row in found["mean_ranks"]) == pytest.approx(36)
    assert ["deeplift", "input_x_gradient", "random", "lime"] in found["groups"]
    assert len(found["pairs"]) == 28
    near = {row["method"]: row["mean_rank"] for row in found["mean_ranks"]}
    for row in found["pairs"]:
        apart = abs(near[row["method"]] - near[row["other"]])
        assert (row["p"] < 0.05) == (apart >= found["value"])


def test_the_diagram_has_a_line_for_each_method_and_a_bar_for_each_group() -> None:
    report = of_published()
    figure = next(figure for figure in make_figures(report) if figure.name == "critical_difference")
    for spec in (figure.wide, figure.narrow):
        elbows, _, bars, dots, _, numbers = (layer["data"]["values"] for layer in spec["layer"])
        assert (len(elbows), len(bars), len(dots)) == (16, len(report["critical_difference"]["groups"]), 8)
        assert f"CD {report['critical_difference']['value']:.2f}" in [one["text"] for one in numbers]
        assert all(0 <= line["x"] <= spec["width"] and line["y"] <= spec["height"] for line in elbows + bars)


def test_without_whole_texts_there_are_no_mean_ranks() -> None:
    rows = [(f"t{at}", method, pd.NA, "w", "3", "", 3.0, 0, 900) for at, method in enumerate(METHODS)]
    columns = ["text", "method", "k", "worker", "label", "expected", "score", "late", "response_ms"]
    report = build_report(study_of_judgments("rating", pd.DataFrame(rows, columns=columns)), replicates=FEW)
    assert report["critical_difference"]["status"] == "too_few_texts"
    assert "critical_difference" not in draw_figures(report)
