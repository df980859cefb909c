import json
from dataclasses import replace

import pytest

from analysis.planning.assumptions import DEFAULTS
from analysis.planning.composing import Asked, Plan, make_plan
from reports.drawing import WIDE
from reports.planning_charts import _ends, _spec, draw_plan


@pytest.fixture(scope="module")
def plan() -> Plan:
    asked = Asked(DEFAULTS["rating"], texts=(20, 40, 80), judgments=(1, 5), grid=True, budget=1)
    return make_plan(replace(asked, texts=(40, 80)))


def test_it_works(plan: Plan) -> None:
    drawn = draw_plan(plan)
    assert set(drawn) == {"plan", "plan_narrow"} and all("Power by texts" in svg for svg in drawn.values())
    assert draw_plan(plan) == drawn


def test_every_cell_is_a_point_and_curves_rise(plan: Plan) -> None:
    layers = _spec(plan, WIDE)["layer"]
    curve, points = (layer["data"]["values"] for layer in layers[1:3])
    assert len(points) == len(plan["grid"]) == 4
    for colour in {one["colour"] for one in curve}:
        values = [one["value"] for one in curve if one["colour"] == colour]
        assert values == sorted(values) and 0 < values[0] < values[-1] <= 1
    assert layers[0]["data"]["values"] == [{"wanted": 0.8}]


def test_labels_stand_apart(plan: Plan) -> None:
    crowded = [row | {"judgments": n, "power": 0.99} for row in plan["grid"][:2] for n in (1, 3, 5, 9)]
    places = sorted(one["place"] for one in _ends(plan, crowded, "power"))
    assert min(b - a for a, b in zip(places, places[1:], strict=False)) > 0.06


def test_without_power_it_draws_widths() -> None:
    asked = Asked(DEFAULTS["rationale_marking"], texts=(10, 20), judgments=(2, 4), grid=True, budget=1)
    spec = _spec(make_plan(asked), WIDE)
    values = [one["value"] for one in spec["layer"][1]["data"]["values"]][:41]
    assert values == sorted(values, reverse=True) and "Width" in json.dumps(spec["title"])
