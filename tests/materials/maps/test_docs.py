"""docs/explanations.md falls behind the code here."""

import json
import re
from pathlib import Path

from materials.maps.checking import LONGEST_TITLE, Asked, Explained, Known, check
from materials.maps.exporting import COMPUTED, KEPT
from materials.maps.importing import MOST_METHODS
from materials.maps.reading import ALIASES, LARGEST_LIST, WHERE, Row

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "explanations.md").read_text()


def test_every_column_is_documented() -> None:
    documented = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE))))
    assert documented >= {"text_id", "text", "method", "source", "signed", "target", "classifier", *WHERE, *KEPT}
    for name, aliases in ALIASES.items():
        assert all(f"`{alias}`" in PAGE for alias in aliases) and f"(`{name}`)" in PAGE


def test_the_examples_can_be_imported() -> None:
    examples = re.findall(r"^    (\{.*\})$", PAGE, re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        row = Row(1, json.loads(example))
        assert (
            check(row, Known(1, "A fine film!", "en", "pos"), Explained(1, "Critic", ["neg", "pos"]), Asked()).problem
            == ""
        )


def test_the_limits_are_the_code_s() -> None:
    assert f"at most {LONGEST_TITLE} characters" in PAGE and f"may hold {MOST_METHODS} different methods" in PAGE
    assert f"up to {LARGEST_LIST // 2**20} MB" in PAGE and COMPUTED in PAGE
