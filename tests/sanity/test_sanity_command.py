"""`sanity`: a task from the command line to a record, a chart and a table."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from lxml import etree

from catalogue.tasks import TASKS
from config.management.commands.sanity import Command, _task_params
from reports.palette import colour
from reports.sanity_curves import curves
from reports.sanity_showing import draw_sanity, tabulate_sanity
from workers.sanity import TASKS as RUNS
from workers.sanity import arithmetic

SMALL = {"task": "arithmetic", "models": 2, "texts": 12}


@pytest.fixture(autouse=True)
def one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "SETTINGS", arithmetic.SETTINGS[2:3])


def sanity(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    code = 0
    try:
        call_command("sanity", **options)
    except SystemExit as end:
        code = int(end.code or 0)
    said = capsys.readouterr()
    return code, said.out + said.err


def test_it_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "folder"
    code, said = sanity(capsys, **SMALL, method="lrp_lstm,random", out=out, params='{"lrp_lstm": {"eps": 0.01}}')
    assert code == 0 and "subtraction, one sign  LRP (LSTM), half" in said and "failed: " in said
    record = json.loads((out / "arithmetic.json").read_text())
    assert record["meta"]["parameters"] == {"models": 2, "cells": 1, "texts": 12, "seed": 0}
    assert set(record["meta"]["versions"]) == {"peekaword", "torch", "transformers", "captum"}
    assert [(row["method"], row["variant"]) for row in record["methods"]] == [
        *(("lrp_lstm", f"rule = {rule}") for rule in ("all", "prop", "abs", "half")), ("random", ""),
    ]  # fmt: skip
    row = record["rows"][0]
    assert row["params"] == {"rule": "all", "eps": 0.01, "bias_factor": 0.0, "pieces": "sum"}
    assert set(row["values"]["corr_a"]) == {"value", "low", "high", "n"}
    assert all({"passed", "failed", "undefined"} >= {row["verdict"]} for row in record["rows"])
    svg = (out / "arithmetic.svg").read_text()
    words = " ".join("".join(element.itertext()) for element in etree.fromstring(svg.encode()).iter("{*}text"))
    assert "LRP (LSTM), prop" in words and "Random" in words and colour("random") in svg


def test_the_same_seed_writes_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = []
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        sanity(capsys, **SMALL, method="random,input_x_gradient", seed=seed, out=tmp_path / name)
        records.append(json.loads((tmp_path / name / "arithmetic.json").read_text())["rows"])
    assert records[0] == records[1] != records[2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"task": None}, "Say --task and --out too"),
        ({"out": None}, "Say --task and --out too"),
        ({"method": "attention_all"}, "attention_all does not serve this task"),
        ({"method": "magic"}, "No such method: magic"),
        ({"params": "{"}, "The parameters are no JSON"),
        ({"models": 0}, "models is 0; the least is 1"),
    ],
)
def test_bad_usage_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: dict[str, Any], said: str
) -> None:
    code, told = sanity(capsys, **{**SMALL, "method": "random", "out": tmp_path / "out", **options})
    assert code == 2 and said in told
    assert not (tmp_path / "out").exists()


def test_it_lists_the_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = sanity(capsys, list=True)
    assert code == 0 and all(f"{name}: " in said and task.pass_line in said for name, task in TASKS.items())


def test_catalogue_and_tasks_are_the_same_and_documented() -> None:
    assert list(TASKS) == list(RUNS)
    page = (Path(__file__).resolve().parents[2] / "docs" / "sanity.md").read_text()
    assert [name for name in TASKS if f"`{name}`" not in page] == []


def test_deletion_is_drawn_as_curves_with_random_deletion_beside() -> None:
    def value(found: float) -> dict[str, Any]:
        return {"value": found, "low": found - 0.05, "high": found + 0.05, "n": 20}

    values = {f"accuracy_{count}": value(1 - count / 10) for count in range(6)}
    row = {"method": "occlusion", "variant": "", "params": {}, "setting": "correct", "verdict": "passed", "reason": ""}
    rows = [
        row | {"values": values | {"effect": value(0.3), "above_random": value(0.2)}},
        row | {"values": {}, "method": "lime"},
    ]
    models = [{"texts": 40}, {"setting": "correct", "random": [1, 0.98, 0.96, 0.94, 0.92, 0.9]}]
    (panel,) = curves({"rows": rows, "models": models})["concat"]
    assert [mark["accuracy"] for mark in panel["data"]["values"]] == pytest.approx([1, 0.9, 0.8, 0.7, 0.6, 0.5])
    by_chance = panel["layer"][0]["data"]["values"]
    assert [(mark["deleted"], mark["accuracy"]) for mark in by_chance][-1] == (5, 0.9)
    svg = draw_sanity({"task": "deletion", "rows": rows, "models": models})
    assert "Accuracy against the number of deleted words" in svg and "random deletion" in svg and "LIME" not in svg


@pytest.mark.parametrize(("name", "given"), [("training", 99), ("sentences", 77), ("cells", 2), ("models", 3)])
def test_all_parameters_of_tasks_are_options(name: str, given: int) -> None:
    parser = Command().create_parser("manage.py", "sanity")
    options = vars(parser.parse_args([f"--{name}", str(given)]))
    for task in TASKS.values():
        expected = {name: given} if name in [one.name for one in task.parameters] else {}
        assert _task_params(task, options) == expected
    assert all(one.name in options for task in TASKS.values() for one in task.parameters)


def test_what_has_no_value_is_not_drawn() -> None:
    row = {
        "method": "random",
        "variant": "",
        "params": {},
        "setting": "number",
        "verdict": "undefined",
        "reason": "why",
    }
    found = {"value": 0.5, "low": None, "high": None, "n": 3}
    empty = {"value": None, "low": None, "high": None, "n": 0}
    rows = [
        row | {"values": {"pass_rate": found, "model_consistency": empty}},
        row | {"values": {}, "method": "gradient"},
    ]
    record = {"task": "agreement", "rows": rows, "methods": [row]}
    svg = draw_sanity(record)
    assert "0.50" in svg and "Gradient" not in svg
    assert tabulate_sanity(record)[1].split()[:4] == ["number", "Random", "0.5", "-"]


def test_a_rate_of_fewer_says_of_how_many() -> None:
    def rate(value: float, n: int) -> dict[str, Any]:
        return {"value": value, "low": None, "high": None, "n": n}

    values = {"pass_rate": rate(0.9, 70), "expected": rate(0.96, 50), "alternative": rate(0.75, 20)}
    row = {"method": "random", "variant": "", "params": {}, "setting": "number", "verdict": "failed", "reason": ""}
    line = tabulate_sanity({"task": "agreement", "rows": [row | {"values": values}], "methods": [row]})[1]
    assert "0.9 " in line and "0.96 (50)" in line and "0.75 (20)" in line and " 70 " in line
