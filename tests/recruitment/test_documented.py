"""docs/recruiting.md falls behind the code here, or not at all."""

import re
from pathlib import Path

from recruitment import OUTCOMES, PROVIDERS
from recruitment.prolific import STATUSES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "recruiting.md").read_text()


def rows(head: str) -> list[list[str]]:
    """Of the table whose head begins so."""
    table = TEXT[TEXT.index(f"| {head}") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_every_provider_is_documented_by_its_label_and_parameter() -> None:
    documented = {name.strip("`"): (label, who) for label, name, _, who in rows("recruitment")}
    assert list(documented) == list(PROVIDERS)
    assert {name: label for name, (label, _) in documented.items()} == {
        name: provider.label for name, provider in PROVIDERS.items()
    }
    assert all(provider.parameter in documented[name][1] for name, provider in PROVIDERS.items())


def test_every_outcome_is_documented_in_the_words_of_the_pages() -> None:
    documented = {name.strip("`"): who for name, who, _ in rows("outcome")}
    assert documented == {name: one.meaning[0].lower() + one.meaning[1:] for name, one in OUTCOMES.items()}


def test_every_status_of_prolifics_is_documented() -> None:
    named = {status for cell, _ in rows("Prolific says") for status in re.findall(r"`([^`]+)`", cell)}
    assert named == STATUSES.keys() - {"PARTIALLY APPROVED"}


def test_every_setting_that_is_named_exists() -> None:
    settings = (ROOT / "docs" / "settings.md").read_text()
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", TEXT))
    theirs = {"PROLIFIC_PID", "ASSIGNMENT_ID_NOT_AVAILABLE"}
    assert named - theirs and [name for name in named - theirs if f"`{name}`" not in settings] == []
