"""docs/importing.md falls behind the code here."""

import re
from pathlib import Path

from django.core.management import get_commands, load_command_class

from materials.checking import Columns
from materials.reading import KINDS

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "importing.md").read_text()


def test_every_column_is_described() -> None:
    assert re.findall(r"^\| `(\w+)` \|", DOCS, re.MULTILINE) == list(Columns._fields)


def test_every_ending_is_named() -> None:
    assert set(re.findall(r"`(\.\w+)`", DOCS)) == set(KINDS)


def test_every_option_that_is_named_exists() -> None:
    options = {option for name in ("import_texts", "take_rationales") for option in options_of(name)}
    named = set(re.findall(r"`(--[a-z-]+)", DOCS))
    assert named and named <= options


def options_of(command: str) -> set[str]:
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    return set(parser._option_string_actions)
