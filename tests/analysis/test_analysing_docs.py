"""docs/analysing.md against the code: what it names is there, what is there it names, and its examples work."""

import re
import tomllib
from pathlib import Path

import pytest
from django.core.management import load_command_class

from analysis.presets.assembling import ROLES
from analysis.presets.mapping import KEYS, PROTOCOLS, read_mapping
from analysis.presets.matrices import SHAPES
from analysis.presets.registry import PRESETS
from analysis.study import COVARIATES

DOCS = Path(__file__).resolve().parents[2] / "docs" / "analysing.md"
TEXT = DOCS.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
# A table that each example fits, in their order.
TABLES = [
    "Satz;System;Person;Urteil;Länge;Sättigung\ns1;IG;p1;gut;4;0,5\ns1;IG;p2;k.A.;4;0,5\n",
    "sentence,rater 1,rater 2\ns1,1,2.5\ns2,NA,3\n",
    "review_id,review,annotator,guess,explainer,n_words,sentiment\nr1,fine,a,pos,lime,5,pos\nr1,fine,b,neg,lime,5,pos\n",
]


def test_every_preset_is_told_of_and_no_other() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == sorted(PRESETS)


def test_every_option_is_one_of_the_commands() -> None:
    known = {
        option
        for name in ("analyse", "import_judgments")
        for action in load_command_class("reports", name).create_parser("manage.py", name)._actions
        for option in action.option_strings
    }
    assert set(re.findall(r"(--[a-z][a-z-]+|--k)\b", TEXT)) <= known


@pytest.mark.parametrize("words", [ROLES, KEYS["file"], SHAPES, PROTOCOLS, tuple(COVARIATES)])
def test_every_word_of_a_mapping_file_is_told_of(words: tuple[str, ...]) -> None:
    assert [word for word in words if not re.search(rf"\b{word}\b", TEXT)] == []


@pytest.mark.parametrize(("example", "table"), list(zip(EXAMPLES, TABLES, strict=True)))
def test_every_example_reads_a_table(tmp_path: Path, example: str, table: str) -> None:
    encoding = tomllib.loads(example).get("file", {}).get("encoding", "utf-8")
    (tmp_path / "table.csv").write_bytes(table.encode(encoding))
    (tmp_path / "mapping.toml").write_text(example, encoding="utf-8")
    study = read_mapping(tmp_path / "table.csv", mapping=tmp_path / "mapping.toml")
    assert study.judgments is not None
    assert len(study.judgments) >= 1
