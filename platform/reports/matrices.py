"""A square of methods against methods: rows against columns, blue where the row is ahead, orange where it is behind."""

from collections.abc import Callable
from dataclasses import dataclass

from reports.drawing import LABELS, NARROW, TIP, Spec
from reports.palette import method_label

AHEAD, BEHIND = "#2f78c4", "#c8590a"
# Beyond this strength the ink of the text would no longer stand out.
STRONGEST = 0.55
CELL_HEIGHT = 34
SMALL = 10


@dataclass(frozen=True)
class Cell:
    """`lead` from -1 to 1: how far the row is ahead of the column. `note` stands in the cell, `tip` beside it."""

    row: str
    column: str
    lead: float
    note: str
    tip: str


def draw_matrix(
    methods: list[str], cells: list[Cell], title: Spec, width: int, label: Callable[[str], str] = method_label
) -> Spec:
    """On a phone columns are numbered, as rows are, for want of room."""
    narrow = width == NARROW
    labels = LABELS + (0 if narrow else 20)
    size = (width - labels) / max(1, len(methods))
    names = {name: f"{at}  {label(name)}" for at, name in enumerate(methods, start=1)}
    heads = {name: str(at) for at, name in enumerate(methods, start=1)}
    notes = 0 if narrow and size < 30 else SMALL if size < 60 else 12
    rows: list[Spec] = [
        {"row": names[cell.row], "column": heads[cell.column], "tip": cell.tip,
         "note": cell.note, "colour": AHEAD if cell.lead > 0 else BEHIND,
         "strength": round(min(1.0, abs(cell.lead)) * STRONGEST, 4)}
        for cell in cells
    ]  # fmt: skip
    y: Spec = {"field": "row", "type": "nominal", "sort": list(names.values()), "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": labels}}  # fmt: skip
    x: Spec = {"field": "column", "type": "nominal", "sort": list(heads.values()), "title": None,
               "axis": {"orient": "top", "domain": False, "ticks": False, "labelAngle": 0}}  # fmt: skip
    fill: Spec = {"field": "colour", "type": "nominal", "scale": None}
    opacity: Spec = {"field": "strength", "type": "quantitative", "scale": None}
    text: Spec = {"mark": {"type": "text", "fontSize": notes}, "encoding": {"text": {"field": "note"}}}
    return {
        "title": title,
        "width": size * len(methods),
        "height": CELL_HEIGHT * len(methods),
        "data": {"values": rows},
        "encoding": {"y": y, "x": x},
        "layer": [
            {"mark": {"type": "rect", "stroke": "currentColor", "strokeOpacity": 0.15},
             "encoding": {"fill": fill, "fillOpacity": opacity, **TIP}},
            *([text] if notes else []),
        ],
    }  # fmt: skip
