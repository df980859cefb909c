"""Power, or the interval's width, against the number of texts: a line for each number of judgments."""

from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any

from analysis.planning.composing import Plan
from analysis.planning.searching import distance_of_one, power_at
from reports.drawing import NARROW, SHARE_AXIS, WIDE, Spec, title_of, to_svg
from reports.planning import TESTS, percent, times

# From few judgments to many; each keeps 3:1 on the light and on the dark ground, and grey prints apart by the labels.
COLOURS = ("#8f98a3", "#a97a0c", "#0b8a68", "#2f78c4", "#9b55a8")
AXIS, LABELS = 60, 76
HEIGHT, LOW = 300, 240
STEPS = 40


def draw_plan(plan: Plan) -> dict[str, str]:
    """SVG by figure name, for a wide page and for a phone."""
    return {name: to_svg(name, _spec(plan, width)) for name, width in (("plan", WIDE), ("plan_narrow", NARROW))}


def _spec(plan: Plan, width: int) -> Spec:
    measure = "interval_width" if plan["design"]["power"] is None else "power"
    rows = [row for row in plan["grid"] if row["load"] == plan["design"]["load"]]
    narrow = width == NARROW
    most = max(row["texts"] for row in rows)
    x: Spec = {"field": "texts", "type": "quantitative", "title": "texts", "scale": {"domain": [0, most]}}
    x["axis"] = {"grid": False, "tickCount": 4 if narrow else 8}
    y: Spec = {"field": "value", "type": "quantitative", "title": None}
    y |= {"scale": {"domain": [0, 1]}, "axis": SHARE_AXIS} if measure == "power" else {"axis": {"tickCount": 5}}
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "title": title_of(*_title(plan, measure), narrow=narrow),
        "width": width - AXIS - LABELS,
        "height": LOW if narrow else HEIGHT,
        "layer": [
            *_wanted(plan, measure),
            {"data": {"values": list(_curves(plan, rows, measure))}, "mark": {"type": "line", "strokeWidth": 2},
             "encoding": {"x": x, "y": y, "color": tint}},
            {"data": {"values": _points(rows, measure)},
             "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
             "encoding": {"x": x, "y": y, "color": tint}},
            {"data": {"values": _ends(plan, rows, measure)}, "mark": {"type": "text", "align": "left", "dx": 8},
             "encoding": {"x": x, "y": y | {"field": "place"}, "text": {"field": "label"}, "color": tint}},
        ],
    }  # fmt: skip


def _title(plan: Plan, measure: str) -> list[str]:
    loads = f"at most {plan['design']['load']} items a worker"
    if measure == "power":
        wanted = plan["wanted"]["power"]
        target = [f"Points are simulated; dashes: the wanted {percent(wanted)}" if wanted else "Points are simulated"]
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
    colours = _colours(rows)
    return [{"texts": row["texts"], "value": row[measure], "colour": colours[row["judgments"]]} for row in rows]


def _curves(plan: Plan, rows: list[Plan], measure: str) -> Iterator[dict[str, Any]]:
    """What the points scatter about: few studies are simulated for each, so that lines between them would be noise."""
    least, most = min(row["texts"] for row in rows), max(row["texts"] for row in rows)
    for judgments, colour in _colours(rows).items():
        curve = _curve([row for row in rows if row["judgments"] == judgments], measure, plan["alpha"])
        for step in range(STEPS + 1):
            texts = least + (most - least) * step / STEPS
            yield {"texts": texts, "value": curve(texts), "colour": colour}


def _curve(own: list[Plan], measure: str, alpha: float) -> Callable[[float], float]:
    """Power rises as Phi(d sqrt(texts) - z), an interval narrows as 1 / sqrt(texts)."""
    if measure == "power":
        distance = distance_of_one({row["texts"]: row["power"] for row in own}, 0.6, alpha)
        return lambda texts: power_at(texts, distance, alpha)
    width_of_one = fmean(row[measure] * row["texts"] ** 0.5 for row in own)
    return lambda texts: width_of_one / texts**0.5


def _ends(plan: Plan, rows: list[Plan], measure: str) -> list[dict[str, Any]]:
    """Labels beside the ends of the curves, pushed apart so that none covers another."""
    most = max(row["texts"] for row in rows)
    ends = {n: _curve([row for row in rows if row["judgments"] == n], measure, plan["alpha"])(most)
            for n in _colours(rows)}  # fmt: skip
    gap = 0.07 * (1.0 if measure == "power" else max(row[measure] for row in rows))
    reached, found = float("inf"), []
    for number in sorted(ends, key=lambda one: -ends[one]):
        reached = min(ends[number], reached - gap)
        label = {"texts": most, "place": reached, "label": times(number), "colour": _colours(rows)[number]}
        found.append(label)
    return found


def _colours(rows: list[Plan]) -> dict[int, str]:
    """By number of judgments."""
    numbers = sorted({row["judgments"] for row in rows})
    return {number: COLOURS[at % len(COLOURS)] for at, number in enumerate(numbers)}
