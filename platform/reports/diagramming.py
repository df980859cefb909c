"""The critical-difference diagram: methods on the line of mean ranks, with bars over those that are not told apart.

As in Demsar 2006, JMLR 7:1-30, the best stand on the right; all labels stand there too, so that it fits a phone.
"""

from typing import Any

from reports.drawing import INK, LABELS, NARROW, TIP, Spec, title_of
from reports.palette import colour, method_label

RULER, AXIS, TICK = 14, 62, 6  # from the top: the critical difference, the line of ranks, and its ticks' length
FIRST_BAR, BAR_STEP, FIRST_LABEL, LABEL_STEP = 18, 9, 26, 22
EDGE, GAP = 12, 22


def draw_diagram(found: dict[str, Any], width: int) -> Spec:
    """found: `critical_difference` of a report."""
    ranks, groups = found["mean_ranks"], found["groups"]
    narrow = width == NARROW
    room = LABELS if narrow else 2 * LABELS
    right = width - room - GAP
    labels = AXIS + FIRST_BAR + BAR_STEP * len(groups) + FIRST_LABEL - BAR_STEP
    height = labels + LABEL_STEP * len(ranks)
    k = len(ranks)

    def across(rank: float) -> float:
        return right - EDGE - (rank - 1) / (k - 1) * (right - 2 * EDGE)

    lines = [_line(across(k), AXIS, across(1), AXIS), *_ruler(across, found["value"], k)]
    lines += [_line(across(rank), AXIS - TICK, across(rank), AXIS) for rank in range(1, k + 1)]
    bars = [_bar(across, ranks, group, AXIS + FIRST_BAR + BAR_STEP * at) for at, group in enumerate(groups)]
    elbows, names = [], []
    for at, row in enumerate(ranks):
        x, y, tint = across(row["mean_rank"]), labels + LABEL_STEP * at, {"colour": colour(row["method"])}
        elbows += [_line(x, AXIS, x, y) | tint, _line(x, y, right + GAP - 6, y) | tint]
        tip = f"{method_label(row['method'])}: mean rank {row['mean_rank']:.2f} over {found['n']:,} texts"
        note = method_label(row["method"]) if narrow else f"{row['mean_rank']:.2f}  {method_label(row['method'])}"
        names.append({"x": right + GAP, "y": y, "at": x, "axis": AXIS, "text": note, "tip": tip, **tint})
    numbers = [{"x": across(rank), "y": AXIS - TICK - 8, "text": str(rank)} for rank in range(1, k + 1)]
    numbers.append(
        {"x": across(max((k + 1) / 2, k - found["value"] / 2)), "y": RULER - 9, "text": f"CD {found['value']:.2f}"}
    )
    return {
        "title": title_of(
            "Mean rank of each method over texts",
            f"{found['n']:,} texts; bars join methods whose mean ranks are less than the critical difference apart",
            narrow=narrow,
        ),
        "width": width,
        "height": height,
        "layer": _layers(lines, bars, elbows, names, numbers, (width, height)),
    }


def _layers(
    lines: list[Spec],
    bars: list[Spec],
    elbows: list[Spec],
    names: list[Spec],
    numbers: list[Spec],
    size: tuple[int, int],
) -> list[Spec]:
    x: Spec = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [0, size[0]], "nice": False}}
    y: Spec = {"field": "y", "type": "quantitative", "axis": None, "scale": {"domain": [size[1], 0], "nice": False}}
    tint: Spec = {"color": {"field": "colour", "type": "nominal", "scale": None}}
    ends: Spec = {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "y2"}}
    label: Spec = {"x": x, "y": y, "text": {"field": "text"}}
    dots: Spec = {"x": x | {"field": "at"}, "y": y | {"field": "axis"}, **tint, **TIP}
    return [
        _layer(elbows, {"type": "rule", "strokeWidth": 1.5}, ends | tint),
        _layer(lines, {"type": "rule", "color": INK, "strokeWidth": 1}, ends),
        *([_layer(bars, {"type": "rule", "color": INK, "strokeWidth": 4, "strokeCap": "round"}, ends)] if bars else []),
        _layer(names, {"type": "point", "filled": True, "size": 60, "opacity": 1}, dots),
        _layer(names, {"type": "text", "align": "left", "limit": 2 * LABELS}, label),
        _layer(numbers, {"type": "text"}, label),
    ]


def _layer(rows: list[Spec], mark: Spec, encoding: Spec) -> Spec:
    return {"data": {"values": rows}, "mark": mark, "encoding": encoding}


def _ruler(across: Any, difference: float, k: int) -> list[Spec]:
    """The critical difference as a length, from the worst rank on."""
    left, right = across(k), across(max(1.0, k - difference))
    return [_line(left, RULER, right, RULER), *(_line(x, RULER - 4, x, RULER + 4) for x in (left, right))]


def _bar(across: Any, ranks: list[Spec], group: list[str], y: float) -> Spec:
    own = [row["mean_rank"] for row in ranks if row["method"] in group]
    return _line(across(max(own)) - 5, y, across(min(own)) + 5, y)


def _line(x: float, y: float, x2: float, y2: float) -> Spec:
    return {"x": x, "y": y, "x2": x2, "y2": y2}
