"""`roar`: from labelled texts to a record, a chart and a table."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from lxml import etree

from accounts.models import Team
from reports.palette import colour
from reports.roar_showing import draw_roar, tabulate_roar
from tests.materials.actors import films
from tests.roar.test_performing import EXAMPLES


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    rows = (f"{one.content.strip()},{('bad', 'good')[one.label]}\n" for one in EXAMPLES)
    path.write_text("text,label\n" + "".join(rows))
    return path


def roar(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = 0
    try:
        call_command("roar", *map(str, arguments))
    except SystemExit as end:
        code = int(end.code or 0)
    said = capsys.readouterr()
    return code, said.out + said.err


def test_it_works(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "folder"
    small = ("--file", texts, "--out", out, "--methods", "gradient", "--shares", "50,20", "--seeds", 1, "--epochs", 1)
    code, said = roar(capsys, *small)
    assert code == 0 and "on 16 held-out texts" in said and "explained once: means of one seed" in said
    assert said.index("Gradient") < said.index("Random")
    made = json.loads((out / "roar.json").read_text())
    assert made["meta"]["shares"] == [0, 0.2, 0.5, 1] and not made["meta"]["recursive"]
    svg = (out / "roar.svg").read_text()
    words = " ".join("".join(element.itertext()) for element in etree.fromstring(svg.encode()).iter("{*}text"))
    assert "Gradient: " in words and "100 %" in words and colour("random") in svg
    again = roar(capsys, *small)
    assert again[0] == 0 and "held-out" in again[1]


@pytest.mark.django_db
def test_a_dataset_will_do(team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = films(team, {"bad": 30, "good": 30})
    out = tmp_path / "out"
    code, _ = roar(capsys, "--dataset", dataset.name, "--out", out, "--methods", "gradient", "--shares", 50, "--seeds",
                   1, "--epochs", 1)  # fmt: skip
    assert code == 0 and json.loads((out / "roar.json").read_text())["meta"]["n_texts"] == 60
    assert roar(capsys, "--dataset", "Nothing", "--out", out)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--methods", "magic"], "No such method: magic"),
        (["--methods", "attention_last"], "attention_last does not serve LSTMs"),
        (["--params", '{"lime": {}}'], "Parameters are given for lime"),
    ],
)
def test_what_cannot_be_is_refused(
    texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    code, said = roar(capsys, "--file", texts, "--out", tmp_path / "out", *arguments)
    assert code == 2 and problem in said and not (tmp_path / "out").exists()


@pytest.mark.parametrize("shares", ["0", "100", "10,x", "", "nan"])
def test_shares_lie_between_none_and_all(texts: Path, tmp_path: Path, shares: str) -> None:
    with pytest.raises(CommandError, match="give per cent above 0 and under 100"):
        call_command("roar", "--file", str(texts), "--out", str(tmp_path), f"--shares={shares}")


def test_the_table_and_the_figure_say_what_is_undefined() -> None:
    spread: dict[str, Any] = {"value": 0.5, "low": 0.4, "high": 0.6, "by_seed": [0.4, 0.6]}
    curve = [{"share": share, **spread} for share in (0.0, 0.5, 1.0)]
    none = {"value": None, "low": None, "high": None, "by_seed": [None, None], "status": "nothing_learnt"}
    area = {"value": -0.1, "low": -0.2, "high": 0.0, "by_seed": [-0.2, 0.0]}
    row = {"params": {}, "curve": curve, "relative_area": none}
    meta = {
        "n_texts": 60,
        "n_held_out": 6,
        "most_frequent": 0.5,
        "recursive": True,
        "shares": [0, 0.5, 1],
        "seeds": [0, 1],
    }
    made = {"meta": meta, "methods": [row | {"method": "lime", "area": area}, row | {"method": "random", "area": area}]}
    lines = tabulate_roar(made)
    assert "explained anew after each removal: means of 2 seeds" in lines[0]
    assert "the models learnt nothing that could be lost" in lines[3] and "−0.200 to +0.000" in lines[3]
    assert "Recursive ROAR" in draw_roar(made)
