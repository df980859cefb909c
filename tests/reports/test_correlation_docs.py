"""docs/correlation.md says what reports have."""

import re
from pathlib import Path

import pytest

from analysis.correlation.coefficients import COEFFICIENTS
from analysis.correlation.permuting import ALL_ORDERS, MORE_ORDERS
from analysis.correlation.reliability import LEAST, MOST_TIED
from reports.relating import LEVELS, MOST_DRAWN, SPLIT_BY
from reports.reporting import build_report
from reports.sections.correlations import BETTER
from reports.statuses import REASONS
from tests.reports.studies import guessing_study

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "correlation.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`(\w+)`", PAGE))


def test_every_question_coefficient_direction_and_split_is_told_of() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.split("## Three questions")[1].split("\n\nEach by")[0], re.MULTILINE)
    assert set(told) - {"over"} == set(LEVELS)
    assert {*COEFFICIENTS, *BETTER, *SPLIT_BY.values()} <= NAMED


@pytest.mark.parametrize("section", ["correlations", "reliability", "winners"])
def test_every_key_of_a_row_is_told_of(section: str) -> None:
    known = {"metric", "coefficient", "n_splits", "p", "ci", "ceiling_ci", "swapped_ci", "loss_ci"}
    rows = build_report(guessing_study(), replicates=30)[section]
    keys = {key for row in rows for key in row}
    assert section in NAMED and keys - known - NAMED == set()


def test_statuses_have_the_reasons_that_reports_give() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", PAGE.split("| status |")[1].split("\n\n")[0], re.MULTILINE))
    assert len(rows) > 10 and rows == {name: REASONS[name] for name in rows}


def test_its_numbers_are_those_of_the_code() -> None:
    assert ALL_ORDERS == 40_320 and "all orders of up to eight" in PAGE
    assert f"{MORE_ORDERS:,} of more" in PAGE
    assert f"under {LEAST}" in PAGE and MOST_TIED == 0.1 and "more than a tenth of pairs" in PAGE
    assert MOST_DRAWN == 2_000 * 16_000 and "more than 16,000 explanations" in PAGE
