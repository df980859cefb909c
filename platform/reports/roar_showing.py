"""What ROAR found, as a table in words and as a figure: accuracy by the share of words removed, a line a method."""

from typing import Any

from analysis.study import RANDOM
from reports.drawing import PER_CENT, Spec, title_of, to_svg
from reports.palette import colour, method_label
from reports.statuses import reason

Record = dict[str, Any]
WIDTH, HEIGHT, LABELS = 620, 360, 250
LINE, DODGE = 18, 0.005
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)


def draw_roar(record: Record) -> str:
    """SVG: lines with their spread over seeds, and labels with the areas between."""
    meta, rows = record["meta"], record["methods"]
    marks = [_mark(row, point, place - len(rows) / 2) for place, row in enumerate(rows) for point in row["curve"]]
    low = min([meta["most_frequent"], *(mark["low"] for mark in marks)])
    high = max(mark["high"] for mark in marks)
    margin = 0.05 * (high - low) or 0.05
    domain = [max(0.0, low - margin), min(1.0, high + margin)]
    kind = "Recursive ROAR" if meta["recursive"] else "ROAR"
    return to_svg(
        "roar",
        {
            "title": title_of(
                f"{kind}: accuracy of models trained without the words that each method scores highest",
                f"Means of {_seeds(meta)} on {meta['n_held_out']:,} of {meta['n_texts']:,} texts, held out; "
                "bars: the lowest and the highest",
                f"Dashes: always saying the commonest label ({meta['most_frequent']:.0%}). "
                "At the right: area to Random's curve",
                narrow=False,
            ),
            "width": WIDTH + LABELS,
            "height": HEIGHT,
            "layer": _layers(marks, _labels(rows, domain), meta["most_frequent"], domain),
        },
    )


def _layers(marks: list[Spec], labels: list[Spec], chance: float, domain: list[float]) -> list[Spec]:
    # The labels stand in the same plot, beyond the last share.
    most = (WIDTH + LABELS) / WIDTH
    x: Spec = {"field": "share", "type": "quantitative", "title": "words removed", "scale": {"domain": [0, most]},
               "axis": {"labelExpr": PER_CENT, "values": TICKS, "titleAnchor": "start", "grid": False}}  # fmt: skip
    y: Spec = {"field": "value", "type": "quantitative", "title": "right answers",
               "scale": {"domain": domain, "nice": False, "zero": False},
               "axis": {"labelExpr": PER_CENT, "tickCount": 6}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    line: Spec = {"x": x, "y": y, "color": tint, "detail": {"field": "method"}}
    label: Spec = {"x": x, "y": y | {"field": "y"}, "color": tint}
    return [
        {"data": {"values": [{"share": 0, "end": 1, "value": chance}]},
         "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "opacity": 0.6},
         "encoding": {"x": x, "x2": {"field": "end"}, "y": y}},
        {"data": {"values": marks}, "mark": {"type": "line", "strokeWidth": 2}, "encoding": line},
        {"data": {"values": marks}, "mark": {"type": "rule", "strokeWidth": 1.5},
         "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}, "color": tint}},
        {"data": {"values": marks}, "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1},
         "encoding": line},
        {"data": {"values": labels}, "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
         "encoding": label},
        {"data": {"values": labels}, "mark": {"type": "text", "align": "left", "dx": 10},
         "encoding": {"x": x, "y": y | {"field": "y"}, "text": {"field": "label"}}},
    ]  # fmt: skip


def _mark(row: Record, point: Record, place: float) -> Spec:
    """A little beside its share, so that no bar hides another; at the ends all methods are one."""
    share = point["share"] + (DODGE * place if 0 < point["share"] < 1 else 0)
    own = {"method": row["method"], "colour": colour(row["method"]), "share": share}
    return own | {name: point[name] for name in ("value", "low", "high")}


def _labels(rows: list[Record], domain: list[float]) -> list[Spec]:
    """A legend beside the curves, the greatest area on top."""
    step = LINE / HEIGHT * (domain[1] - domain[0])
    return [
        {"share": 1.06, "y": domain[1] - (0.5 + place) * step, "colour": colour(row["method"]), "label": _label(row)}
        for place, row in enumerate(rows)
    ]


def _label(row: Record) -> str:
    name = method_label(row["method"])
    return name if row["method"] == RANDOM else f"{name}: {_signed(row['area']['value'])}"


def tabulate_roar(record: Record) -> list[str]:
    """Lines for a terminal: accuracies by share, then the area to Random's curve with its spread over seeds."""
    meta = record["meta"]
    table = [["method", *(f"{share:.0%}" for share in meta["shares"]), "area", "over seeds", "relative"]]
    table += [[*_cells(row), *_areas(row)] for row in record["methods"]]
    widths = [max(len(line[at]) for line in table) for at in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    kind = "explained anew after each removal" if meta["recursive"] else "explained once"
    head = (
        f"Right answers on {meta['n_held_out']:,} held-out texts by the share of words removed, {kind}: means of "
        f"{_seeds(meta)}. The commonest label is {meta['most_frequent']:.0%} of texts."
    )
    return [head, "", *lines, ""]


def _cells(row: Record) -> list[str]:
    return [method_label(row["method"]), *(f"{point['value']:.3f}" for point in row["curve"])]


def _areas(row: Record) -> list[str]:
    if row["method"] == RANDOM:
        return ["", "", ""]
    area, relative = row["area"], row["relative_area"]
    spread = f"{_signed(area['low'])} to {_signed(area['high'])}"
    whole = reason(relative["status"]) if relative["value"] is None else f"{relative['value']:.0%}"
    return [_signed(area["value"]), spread, whole]


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def _seeds(meta: Record) -> str:
    return "one seed" if len(meta["seeds"]) == 1 else f"{len(meta['seeds'])} seeds"
