"""What a known-answer task found, as a table in words and as a figure that prints in grey."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.study import RANDOM
from catalogue.tasks import TASKS, Measure, Task
from reports.drawing import WIDE, Spec, title_of, to_svg
from reports.palette import colour
from reports.sanity_curves import curves
from reports.sanity_naming import label_of

Record = dict[str, Any]
LABELS, NOTES, SPACING, COLUMNS = 264, 44, 28, 3


def draw_sanity(record: Record) -> str:
    """SVG of a task's record: one panel a setting and measure, one point with its bar a method; deletion's curves."""
    task = TASKS[record["task"]]
    drawn = [measure for measure in task.measures if measure.drawn]
    settings = list(dict.fromkeys(row["setting"] for row in record["rows"]))
    blocks = [
        _block(record, setting, drawn[start : start + COLUMNS])
        for setting in settings
        for start in range(0, len(drawn), COLUMNS)
    ]
    blocks += [curves(record)] if task.name == "deletion" else []
    title = title_of(task.question, *_captions(task, record), narrow=False)
    return to_svg(task.name, {"title": title, "vconcat": [one for one in blocks if one["concat"]], "spacing": 64})


def _block(record: Record, setting: str, drawn: Sequence[Measure]) -> Spec:
    """Panels side by side, the first of which names the methods."""
    panels = [_panel(record, setting, measure, _width(len(drawn)), first=at == 0) for at, measure in enumerate(drawn)]
    return {
        "concat": [panel for panel in panels if panel["data"]["values"]],
        "columns": len(drawn),
        "spacing": {"row": 64, "column": SPACING + NOTES},
        "bounds": "flush",
    }


def _captions(task: Task, record: Record) -> Iterator[str]:
    yield f"Passes: {task.pass_line[0].lower()}{task.pass_line[1:]}"
    bars = f"Bars: {task.interval}. Hollow: failed; filled: passed; cross: undefined"
    has_random = any(row["method"] == RANDOM for row in record["rows"])
    yield bars + (". Grey dashes: Random" if has_random else "")


def _width(columns: int) -> float:
    return (WIDE - LABELS - columns * NOTES - (columns - 1) * SPACING) / columns


def _panel(record: Record, setting: str, measure: Measure, width: float, *, first: bool) -> Spec:
    rows = [row for row in record["rows"] if row["setting"] == setting]
    marks = [mark for mark in (_mark(row, measure) for row in rows) if mark]
    axis: Spec = {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS - 10}
    hidden: Spec = {} if first else {"labels": False}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": axis | hidden}
    x: Spec = {"field": "x", "type": "quantitative", "title": None, "axis": {"tickCount": 5},
               "scale": {"domain": [measure.low, measure.high], "clamp": True}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    random = [mark for mark in marks if mark["method"] == RANDOM]
    shapes = {"passed": "circle", "failed": "circle", "undefined": "cross"}
    point: Spec = {"field": "verdict", "type": "nominal", "legend": None,
                   "scale": {"domain": list(shapes), "range": list(shapes.values())}}  # fmt: skip
    fill: Spec = {"condition": {"test": "datum.verdict == 'failed'", "value": "transparent"}} | tint
    return {
        "title": {"text": [setting.capitalize(), measure.label.capitalize()] if setting else measure.label.capitalize(),
                  "fontSize": 12, "offset": 6, "frame": "group", "anchor": "start"},
        "width": width,
        "height": {"step": 20},
        "data": {"values": marks},
        "layer": [
            {"data": {"values": random}, "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5},
             "encoding": {"x": x, "color": tint}},
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint}},
            {"mark": {"type": "point", "size": 60, "opacity": 1, "strokeWidth": 2},
             "encoding": {"y": y, "x": x, "stroke": tint, "fill": fill, "shape": point}},
            {"mark": {"type": "text", "align": "left", "dx": 8, "fontSize": 11},
             "encoding": {"y": y, "x": {"value": width}, "text": {"field": "note"}}},
        ],
    }  # fmt: skip


def _mark(row: Record, measure: Measure) -> Spec:
    found = row["values"].get(measure.name) or {"value": None}
    if found["value"] is None:
        return {}
    return {
        "method": row["method"],
        "label": label_of(row),
        "colour": colour(row["method"]),
        "verdict": row["verdict"],
        "x": found["value"],
        "low": found["value"] if found["low"] is None else found["low"],
        "high": found["value"] if found["high"] is None else found["high"],
        "note": f"{found['value']:.2f}",
    }


def tabulate_sanity(record: Record) -> list[str]:
    """Lines for a terminal: one a setting and method, then each method's verdict."""
    task = TASKS[record["task"]]
    names = [measure.name for measure in task.measures]
    table = [["setting", "method", *names, "n", "verdict", ""]]
    table += [_cells(row, names) for row in record["rows"]]
    widths = [max(len(line[at]) for line in table) for at in range(len(table[0]) - 1)]
    lines = ["  ".join([cell.ljust(width) for cell, width in zip(line, widths, strict=False)] + line[-1:]).rstrip()
             for line in table]  # fmt: skip
    return [*lines, "", *_verdicts(record)]


def _cells(row: Record, names: list[str]) -> list[str]:
    found = [row["values"].get(name) for name in names]
    n = max((one["n"] for one in found if one), default=0)
    shown = [_shown(one, n) for one in found]
    return [row["setting"], label_of(row), *shown, str(n), row["verdict"], row["reason"]]


def _shown(found: Record | None, n: int) -> str:
    """A value, with its own n where that is not the row's."""
    if found is None or found["value"] is None:
        return "-"
    return f"{found['value']:.3g}" + (f" ({found['n']})" if found["n"] != n else "")


def _verdicts(record: Record) -> Iterator[str]:
    for verdict in ("passed", "failed", "undefined"):
        named = [label_of(row) for row in record["methods"] if row["verdict"] == verdict]
        if named:
            yield f"{verdict}: {'; '.join(named)}"
