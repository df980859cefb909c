"""docs/scores.md says what reports have."""

import re
from pathlib import Path
from typing import Any

import pytest

from analysis.scoring.weighting import DIFFICULTIES
from reports.measures import MEASURES
from reports.reporting import build_report
from reports.sections.differences import EFFECTS, TESTS
from reports.statuses import REASONS
from tests.reports.studies import guessing_study
from tests.reports.test_strengths import pairs

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "scores.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`(\w+)`", PAGE))


def test_every_protocol_with_its_measure_is_told_of() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| `(\w+)` \|", PAGE, re.MULTILINE)
    told = {name: measure for names, measure in rows for name in re.findall(r"\w+", names)}
    assert told == {name: measure.name for name, measure in MEASURES.items() if name in told} and len(told) == 8
    assert set(DIFFICULTIES) <= NAMED


def test_every_test_and_effect_size_is_told_of() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE.split("| test |")[1].split("\n\n")[0], re.MULTILINE) == list(TESTS)
    assert re.findall(r"^\| `(\w+)` \|", PAGE.split("| effect |")[1].split("\n\n")[0], re.MULTILINE) == list(EFFECTS)


def test_statuses_have_the_reasons_that_reports_give() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", PAGE.split("| status |")[1], re.MULTILINE))
    assert rows == {name: REASONS[name] for name in ("not_connected", "never_beaten", "only_ties", "one_sided")}


@pytest.mark.parametrize("section", ["differences", "critical_difference", "bradley_terry", "flips"])
def test_what_sections_have_is_named(section: str) -> None:
    known = {"model", "steps", "flipped_steps", "sequences", "flipped_sequences", "flipped_steps_from_noise", "methods"}
    known |= {"test", "tests", "effects"}
    study = pairs() if section == "bradley_terry" else guessing_study()
    found: Any = build_report(study, replicates=50)[section]
    keys = set(found[0] if isinstance(found, list) else found)
    assert keys - known - NAMED == set()
