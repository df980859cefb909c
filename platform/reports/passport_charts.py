"""What metrics say of methods: one panel a metric, one point with its interval a method. They print in grey."""

from typing import Any

from analysis.study import RANDOM
from reports.drawing import NARROW, WIDE, Report, Spec, title_of, to_svg
from reports.palette import colour
from reports.passport_showing import better_in_words, label_of, measure_label, ordered

LABELS, SPACING = 190, 30
STEP = 20


def drawn_measures(passport: Report) -> list[Report]:
    """Those that rank two methods or more."""
    return [one for one in passport["metrics"] if one["n_ranked"] > 1]


def draw_passport(passport: Report) -> dict[str, str]:
    """SVG by figure name; none where no metric ranks methods."""
    measures = drawn_measures(passport)
    if not measures:
        return {}
    specs = {"passport": _spec(passport, measures, WIDE, 3), "passport_narrow": _spec(passport, measures, NARROW, 1)}
    return {name: to_svg(name, spec) for name, spec in specs.items()}


def _spec(passport: Report, measures: list[Report], width: int, columns: int) -> Spec:
    columns = min(columns, len(measures))
    labels = LABELS if width == WIDE else 140
    inner = (width - labels - (columns - 1) * SPACING) / columns
    rows = [row for row in ordered(passport) if row["status"] == "ok"]
    random = any(row["method"] == RANDOM for row in rows)
    narrow = width == NARROW
    return {
        "title": title_of(
            "What each metric says of the methods",
            f"Means over {passport['meta']['n_texts']} texts; bars are 95 % bootstrap intervals over texts",
            "Grey dashes: Random" if random else "Random is not among the methods",
            narrow=narrow,
        ),
        "concat": [
            _panel(rows, one, inner, labels, first=narrow or at % columns == 0) for at, one in enumerate(measures)
        ],
        "columns": columns,
        "bounds": "full" if narrow else "flush",
        "spacing": {"row": 36 if narrow else 84, "column": SPACING},
    }


def _panel(rows: list[Report], measure: Report, width: float, labels: int, *, first: bool) -> Spec:
    marks = [_mark(row, row["metrics"][measure["key"]]) for row in rows]
    known = [mark for mark in marks if mark["value"] is not None]
    hidden: Spec = {} if first else {"labels": False}
    axis: Spec = {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": labels - 12}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "scale": {"domain": [mark["label"] for mark in marks]},
               "axis": axis | hidden}  # fmt: skip
    x: Spec = {"field": "value", "type": "quantitative", "title": None, "axis": {"tickCount": 4},
               "scale": {"zero": True, "nice": True}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "title": {"text": measure_label(measure), "subtitle": better_in_words(measure), "fontSize": 13,
                  "subtitleFontSize": 12, "offset": 6, "frame": "group", "anchor": "start"},
        "width": width,
        "height": {"step": STEP},
        "data": {"values": known},
        "layer": [
            {"data": {"values": [mark for mark in known if mark["method"] == RANDOM]},
             "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5}, "encoding": {"x": x, "color": tint}},
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint}},
            {"mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
             "encoding": {"y": y, "x": x, "color": tint}},
        ],
    }  # fmt: skip


def _mark(row: Report, found: Report) -> dict[str, Any]:
    low, high = found["ci"] or (found["value"], found["value"])
    return {
        "method": row["method"],
        "label": label_of(row),
        "colour": colour(row["method"]),
        "value": found["value"],
        "low": low,
        "high": high,
    }
