"""Power, or the interval's width, against the number of texts: a line for each number of judgments."""

from typing import Any

from analysis.planning.composing import Plan
from reports.drawing import NARROW, SHARE_AXIS, WIDE, Spec, title_of, to_svg
from reports.planning import TESTS, percent, times

# From few judgments to many; each keeps 3:1 on the light and on the dark ground, and grey prints apart by the labels.
COLOURS = ("#8f98a3", "#a97a0c", "#0b8a68", "#2f78c4", "#9b55a8")
AXIS, LABELS = 60, 76
HEIGHT, LOW = 300, 240


def draw_plan(plan: Plan) -> dict[str, str]:
    """SVG by figure name, for a wide page and for a phone."""
    return {name: to_svg(name, _spec(plan, width)) for name, width in (("plan", WIDE), ("plan_narrow", NARROW))}


def _spec(plan: Plan, width: int) -> Spec:
    measure = "interval_width" if plan["design"]["power"] is None else "power"
    rows = [row for row in plan["grid"] if row["load"] == plan["design"]["load"]]
    points, ends = _points(rows, measure), _ends(rows, measure)
    narrow = width == NARROW
    texts = sorted({row["texts"] for row in rows})
    x: Spec = {"field": "texts", "type": "quantitative", "title": "texts", "scale": {"domain": [0, texts[-1]]}}
    x["axis"] = {"grid": False, "tickCount": 4 if narrow else 8}
    y: Spec = {"field": "value", "type": "quantitative", "title": None}
    y |= {"scale": {"domain": [0, 1]}, "axis": SHARE_AXIS} if measure == "power" else {"axis": {"tickCount": 5}}
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "title": title_of(*_title(plan, measure), narrow=narrow),
        "width": width - AXIS - LABELS,
        "height": LOW if narrow else HEIGHT,
        "data": {"values": points},
        "layer": [
            *_wanted(plan, measure),
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"x": x, "y": y, "color": tint}},
            {"mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
             "encoding": {"x": x, "y": y, "color": tint}},
            {"data": {"values": ends}, "mark": {"type": "text", "align": "left", "dx": 8},
             "encoding": {"x": x, "y": y | {"field": "place"}, "text": {"field": "label"}, "color": tint}},
        ],
    }  # fmt: skip


def _title(plan: Plan, measure: str) -> list[str]:
    loads = f"at most {plan['design']['load']} items a worker"
    if measure == "power":
        wanted = plan["wanted"]["power"]
        target = [f"Dashes: the wanted {percent(wanted)}"] if wanted else []
        short = TESTS[plan["test"]].split(",")[0]
        return ["Power by texts and judgments each", f"Test {short}, alpha {plan['alpha']:g}; {loads}", *target]
    return ["Width of the 95 % interval by texts and judgments each", loads[0].upper() + loads[1:]]


def _wanted(plan: Plan, measure: str) -> list[Spec]:
    value = plan["wanted"]["power" if measure == "power" else "width"]
    if not value:
        return []
    y: Spec = {"field": "wanted", "type": "quantitative"}
    rule: Spec = {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "color": "currentColor", "opacity": 0.6}
    return [{"data": {"values": [{"wanted": value}]}, "mark": rule, "encoding": {"y": y}}]


def _points(rows: list[Plan], measure: str) -> list[dict[str, Any]]:
    numbers = sorted({row["judgments"] for row in rows})
    return [
        {"texts": row["texts"], "value": row[measure], "colour": _colour(numbers.index(row["judgments"]))}
        for row in rows
    ]


def _ends(rows: list[Plan], measure: str) -> list[dict[str, Any]]:
    """Labels beside the last points, pushed apart so that none covers another."""
    numbers = sorted({row["judgments"] for row in rows})
    last = {row["judgments"]: row for row in sorted(rows, key=lambda row: row["texts"])}
    most = 1.0 if measure == "power" else max(row[measure] for row in rows)
    gap, reached, found = 0.07 * most, float("inf"), []
    for number in sorted(numbers, key=lambda one: -last[one][measure]):
        place = min(last[number][measure], reached - gap)
        reached = place
        found.append({"texts": last[number]["texts"], "place": place, "label": times(number),
                      "colour": _colour(numbers.index(number))})  # fmt: skip
    return found


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
