"""docs/agreement.md says what reports have."""

import re
from pathlib import Path

from analysis.agreement import measuring
from analysis.agreement.intraclass import FORMS
from analysis.agreement.levels import LEVELS
from analysis.agreement.splitting import SKEWED
from analysis.agreement.weights import WEIGHTS
from reports.palette import COEFFICIENTS
from reports.sections import agreement, disagreement, worker_agreement
from reports.statuses import REASONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agreement.md").read_text(encoding="utf-8")


def first_cells(head: str) -> list[str]:
    rows = PAGE.split(f"| {head} |")[1].split("\n\n")[0]
    return [name for cell in re.findall(r"^\| ([^|]+) \|", rows, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)]


def test_every_coefficient_level_form_and_weighting_is_told_of() -> None:
    assert sorted(first_cells("coefficient")) == sorted(COEFFICIENTS)
    assert first_cells("level") == list(LEVELS)
    assert all(f"`{name}`" in PAGE for name in [*FORMS, *(set(WEIGHTS) - {"none"})])


def test_every_status_has_the_reason_that_reports_give() -> None:
    documented = re.search(r"status: ok, ([\w\s,]+)\.", re.sub(r" \([^)]*\)", "", measuring.Agreement.__doc__ or ""))
    assert documented is not None
    assert first_cells("status") == re.split(r",\s+", documented.group(1))
    for status in first_cells("status"):
        assert f"| `{status}` | {REASONS[status]}" in PAGE


def test_the_bounds_are_those_of_the_code() -> None:
    assert f"at least {SKEWED * 100:.0f} % of the answers" in PAGE
    assert f"at most {worker_agreement.MOST_DRAWN} workers" in PAGE and f"the {disagreement.MOST} that differ" in PAGE
    assert f"over `{'`, over `'.join(list(agreement.OVER)[:2])}`, and over `{list(agreement.OVER)[2]}`" in PAGE


def test_what_is_left_out_is_told_of() -> None:
    assert all(f"`{status}`" in PAGE for status in agreement.NOT_ASKED_FOR)
    assert all(f"`{form}`" in PAGE for form in agreement.CROSSED)
