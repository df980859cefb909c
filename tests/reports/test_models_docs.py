"""docs/models.md says what the code has."""

from pathlib import Path

import pytest

from analysis.aggregation.registry import AGGREGATIONS
from analysis.modelling.confounds import CONFOUNDS
from analysis.modelling.registry import MODELS
from reports.statuses import REASONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    """Cells of the table whose first head is this, without backticks."""
    table = PAGE.split(f"\n| {head} |")[1].split("\n\n")[0].split("\n")[2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")] for line in table]


def test_every_aggregation_is_told_of_with_its_measure_of_workers() -> None:
    told = {cells[0]: cells[-1] for cells in rows("aggregation")}
    assert told == {name: one.competence for name, one in AGGREGATIONS.items()}


def test_every_model_is_told_of_with_its_estimation_and_its_like_in_r() -> None:
    assert {cells[0]: cells[2:] for cells in rows("model")} == {
        name: [one.estimation, one.in_r] for name, one in MODELS.items()
    }


def test_every_confound_is_told_of() -> None:
    assert rows("term") == [[name, one.label] for name, one in CONFOUNDS.items()]


def test_statuses_have_the_reasons_that_reports_give() -> None:
    told = dict(rows("status"))
    assert told == {name: REASONS[name] for name in told} and len(told) == 6


@pytest.mark.parametrize("key", ["aggregation", "models", "confounds", "following"])
def test_every_key_of_the_report_is_named(key: str) -> None:
    assert f"`{key}`" in PAGE
