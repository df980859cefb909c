"""Word deletion as curves: accuracy against the number of deleted words, one small panel a method."""

from collections.abc import Iterator
from typing import Any

from reports.drawing import INK, SHARE_AXIS, WIDE, Spec
from reports.palette import colour
from reports.sanity_naming import label_of

Record = dict[str, Any]
DELETED = range(6)
COLUMNS, HEIGHT = 4, 96
# From panel to panel, the numbers of the axis included.
GAP, AXIS = 60, 45
# The curves begin where the points above them do, to the right of their labels.
INDENT = 264


def curves(record: Record) -> Spec:
    """Panels in the order of the methods; grey dashes are random deletion, the mean of its runs."""
    rows: dict[str, list[Record]] = {}
    for row in record["rows"]:
        if row["values"]:
            rows.setdefault(label_of(row), []).append(row)
    by_chance = [mark for about in record["models"] if "random" in about for mark in _by_chance(about)]
    width = (WIDE - INDENT - (COLUMNS - 1) * GAP) / COLUMNS
    return {
        "title": {"text": "Accuracy against the number of deleted words",
                  "subtitle": "Falls: texts that were classified correctly, the most relevant words first. "
                  "Rises: those classified wrongly, the least relevant first. Bars: 95 %. Dashes: random deletion"},
        "concat": [_panel(label, found, by_chance, width) for label, found in rows.items()],
        "columns": COLUMNS,
        "spacing": {"row": 28, "column": GAP - AXIS},
    }  # fmt: skip


def _panel(label: str, rows: list[Record], by_chance: list[Spec], width: float) -> Spec:
    x: Spec = {"field": "deleted", "type": "quantitative", "title": None, "scale": {"domain": [0, 5]},
               "axis": {"values": list(DELETED), "format": "d", "grid": False}}  # fmt: skip
    y: Spec = {"field": "accuracy", "type": "quantitative", "title": None, "scale": {"domain": [0, 1]},
               "axis": SHARE_AXIS | {"values": [0, 0.5, 1]}}  # fmt: skip
    part: Spec = {"field": "setting", "type": "nominal"}
    tint: Spec = {"value": colour(rows[0]["method"])}
    return {
        "title": {"text": label, "fontSize": 11, "offset": 6},
        "width": width,
        "height": HEIGHT,
        "data": {"values": [mark for row in rows for mark in _curve(row)]},
        "layer": [
            {"data": {"values": by_chance},
             "mark": {"type": "line", "strokeDash": [4, 3], "color": INK, "opacity": 0.5},
             "encoding": {"x": x, "y": y, "detail": part}},
            {"mark": {"type": "rule", "strokeWidth": 1.5},
             "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}, "color": tint}},
            {"mark": {"type": "line", "strokeWidth": 2, "point": {"size": 20}},
             "encoding": {"x": x, "y": y, "detail": part, "color": tint}},
        ],
    }  # fmt: skip


def _curve(row: Record) -> Iterator[Spec]:
    for count in DELETED:
        found = row["values"][f"accuracy_{count}"]
        yield {"setting": row["setting"], "deleted": count, "accuracy": found["value"],
               "low": found["low"], "high": found["high"]}  # fmt: skip


def _by_chance(about: Record) -> Iterator[Spec]:
    for count, share in enumerate(about["random"]):
        yield {"setting": about["setting"], "deleted": count, "accuracy": share}
