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
    parser = load_command_class(get_commands()["import_texts"], "import_texts").create_parser(
        "manage.py", "import_texts"
    )
    named = set(re.findall(r"`(--[a-z-]+)", DOCS))
    assert named and named <= set(parser._option_string_actions)
