"""docs/planning.md says of every option, default and status what holds."""

import re
from argparse import ArgumentParser
from pathlib import Path

from analysis.planning.assumptions import DEFAULTS, WITHOUT_POWER
from analysis.planning.designing import ALLOCATIONS
from analysis.planning.powering import TESTS
from reports.management.commands.plan import Command
from reports.planning import WHY_NO_POWER
from reports.reading import add_preset_options

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "planning.md").read_text(encoding="utf-8")


def options_of(parser: ArgumentParser) -> set[str]:
    return {name for action in parser._actions for name in action.option_strings if name.startswith("--")}


def test_every_option_is_documented_and_every_documented_one_is_there() -> None:
    own, shared = ArgumentParser(), ArgumentParser()
    Command().add_arguments(own)
    add_preset_options(shared)
    of_files = options_of(shared) - {"--preset", "--mapping"}
    rows = re.findall(r"^\| (`--[^|]+) \|", DOCS, re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(--[\w-]+)`", row)}
    assert documented == options_of(own) - of_files - {"--help"}


def test_every_default_stands_with_its_source() -> None:
    for name, one in DEFAULTS.items():
        numbers = (one.base, one.effect, one.text, one.text_method, one.worker, one.spread, one.ties, one.seconds)
        cells = " | ".join([f"`{name}`", *(f"{value:g}" for value in numbers), one.source])
        assert f"| {cells} |" in DOCS


def test_every_test_allocation_and_status_is_told() -> None:
    assert set(WHY_NO_POWER) == set(WITHOUT_POWER.values())
    assert [word for word in (*TESTS, *ALLOCATIONS, *WHY_NO_POWER) if f"`{word}`" not in DOCS] == []
