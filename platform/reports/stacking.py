"""Points of a scale as stacked bars."""

from collections import Counter
from typing import Any

from reports.drawing import LABELS, NARROW, SHARE_AXIS, TIP, Spec, title_of
from reports.palette import colour, method_label
from reports.tabulating import show
from reports.wording import counted

Row = dict[str, Any]
# More points than these, as of a slider, are drawn in bands of ten; the last takes in the scale's end.
MOST_POINTS = 11
BAND, LAST_BAND = 10, 90


def stack_answers(methods: list[Row], width: int, of: str = "") -> Spec:
    """One bar a method, light to strong. Rows have `method` and `answers`, counts by rating; `of` is the question."""
    ratings = sorted({int(float(label)) for row in methods for label in row["answers"]})
    extent = f"from {ratings[0]} to {ratings[-1]}"
    if len(ratings) > MOST_POINTS:
        methods, extent = _banded(methods), f"{extent}; bands of {BAND}, each named by its least"
        ratings = sorted({int(label) for row in methods for label in row["answers"]})
    x: Spec = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    shade: Spec = {"field": "shade", "type": "quantitative", "scale": None}
    n = sum(sum(row["answers"].values()) for row in methods)
    return {
        "title": title_of(
            f"Share of each answer{of and ': '}{of}",
            f"{counted(n, 'rating')}, {extent}",
            narrow=width == NARROW,
        ),
        "width": width - LABELS - 16,
        "height": {"step": 32},
        "data": {"values": [bar for row in methods for bar in _bars(row, ratings)]},
        "layer": [
            {
                "mark": {"type": "bar", "height": 22, "strokeWidth": 1},
                "encoding": {"y": y, "x": x | {"field": "start"}, "x2": {"field": "end"},
                             "fill": tint, "stroke": tint, "fillOpacity": shade, **TIP},
            },
            {
                "mark": {"type": "text"},
                "encoding": {"y": y, "x": x | {"field": "middle"}, "text": {"field": "note"}},
            },
        ],
    }  # fmt: skip


def _banded(methods: list[Row]) -> list[Row]:
    """Answers by the least point of their band."""
    rows = []
    for row in methods:
        answers: Counter[str] = Counter()
        for label, n in row["answers"].items():
            answers[str(min(int(float(label)) // BAND * BAND, LAST_BAND))] += n
        rows.append(row | {"answers": dict(answers)})
    return rows


def _bars(row: Row, ratings: list[int]) -> list[Spec]:
    total, start = sum(row["answers"].values()), 0.0
    bars = []
    for step, rating in enumerate(ratings):
        n = row["answers"].get(str(rating), 0)
        share = n / total
        tip = f"{method_label(row['method'])}: {rating} in {show('share', share)}, {n:,} of {total:,} answers"
        bars.append({"label": method_label(row["method"]), "colour": colour(row["method"]), "start": start,
                     "end": start + share, "middle": start + share / 2,
                     "shade": round(0.1 + 0.5 * step / max(1, len(ratings) - 1), 2),
                     "tip": tip, "note": str(rating) if share >= 0.06 else ""})  # fmt: skip
        start += share
    return bars
