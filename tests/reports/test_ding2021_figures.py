"""Every figure that Ding and Koehn's released outputs give, from the released files."""

from functools import cache
from typing import Any

import pytest

from analysis.plausibility.cues import CueStudy, judge_cues
from analysis.presets.ding2021 import read_ding2021
from reports.cueing import build_cue_report
from tests.analysis.published import published

# Passed and n: in all, where the model prefers the expected class, where it prefers the other.
PASSED = {"sota": ((999, 1000), (347, 347), (652, 653)), "distilled": ((997, 1000), (324, 324), (673, 676))}
CONSISTENCY = {
    ("model", "distilled and sota", "verum"): ".656",
    ("model", "distilled and sota", "malum"): ".581",
    ("input", "sota", "verum"): ".761",
    ("input", "sota", "malum"): ".744",
    ("input", "distilled", "verum"): ".901",
    ("input", "distilled", "malum"): ".880",
}


@cache
def study() -> CueStudy:
    return read_ding2021(published("ding2021"))


@cache
def report() -> dict[str, Any]:
    return build_cue_report(study(), replicates=200)


@pytest.mark.parametrize("model", PASSED)
def test_pass_rates(model: str) -> None:
    row = next(row for row in report()["plausibility"] if row["model"] == model)
    found = (row["passed"], row["n"]), tuple(row["expected"]), tuple(row["alternative"])
    assert found == PASSED[model]


@pytest.mark.parametrize("model", PASSED)
def test_the_lines_that_pass_are_the_published_ones(model: str) -> None:
    lines = published(f"ding2021/winobias-{model}.passed.idx").read_text().split()
    saliency = next(one for one in study().models if one.model == model)
    assert [verdict.line for verdict in judge_cues(study(), saliency) if verdict.passed] == [
        int(line) for line in lines
    ]


@pytest.mark.parametrize("which", CONSISTENCY, ids=" ".join)
def test_consistency(which: tuple[str, str, str]) -> None:
    rows = {(row["kind"], " and ".join(row["models"]), row["target"]): row for row in report()["consistency"]}
    assert set(rows) == set(CONSISTENCY)
    row = rows[which]
    assert f"{row['pearson']:.3f}" == f"0{CONSISTENCY[which]}"
    assert (row["n"], row["skipped"]) == ((1000, 0) if which[0] == "model" else (717, 4))
    assert row["ci"][0] < row["pearson"] < row["ci"][1]


def test_each_gendered_noun_is_a_coin_that_random_scores_toss() -> None:
    assert [row["chance"] for row in report()["plausibility"]] == [0.5, 0.5]
