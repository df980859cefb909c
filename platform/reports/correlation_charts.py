"""How near each metric comes to people: points with intervals, and the noise ceiling as a band."""

from analysis.correlation.coefficients import KENDALL, SPEARMAN
from analysis.correlation.reliability import METHODS, WITHIN
from reports.drawing import INK, NARROW, TIP, Report, Spec, title_of
from reports.palette import metric_label

NOTES = 44  # for values, at the end of the rows
SPACING = 28
BETWEEN = 72  # panels above one another: the axis of the upper and the title of the lower
CHARACTER, MOST_LABEL = 6.6, 250  # names of metrics stand beside a wide panel, and above their rows on a phone
TONE = "#2f78c4"
BAND = "#7d838c"
# What each panel shows: tau-b has a noise ceiling over methods, and rho, which bears ties, within texts.
SHOWN = {METHODS: KENDALL, WITHIN: SPEARMAN}
TITLES = {METHODS: "Order of {n:,} methods, tau-b", WITHIN: "Within texts, rho, mean of {n:,}"}


def forest(report: Report, width: int) -> Spec:
    """Correlation with each metric, turned so that higher is better: tau-b over methods, mean rho within texts."""
    narrow, panels = width == NARROW, panels_of(report)
    order = list(dict.fromkeys(row["label"] for over in panels for row in _rows(report, over)))
    beside = 1 if narrow else len(panels)
    names = 0.0 if narrow else min(MOST_LABEL, CHARACTER * max(map(len, order)) + 12)
    inner = (width - names - beside * NOTES - (beside - 1) * SPACING) / beside
    return {
        "title": title_of(
            "How near each metric comes to people",
            "Kendall's tau-b over methods, Spearman's rho over the explanations of one text",
            "Metrics of which less is better are turned",
            "Bars are 95 % intervals; the grey band is the noise ceiling",
            narrow=narrow,
        ),
        "concat": [
            _panel(report, over, order, inner, names if place == 0 else 0.0, above=narrow)
            for place, over in enumerate(panels)
        ],
        "columns": beside,
        "spacing": BETWEEN if narrow else SPACING,
        "bounds": "flush",
    }


def panels_of(report: Report) -> list[str]:
    """The levels at which some metric has a value."""
    return [over for over in SHOWN if _rows(report, over)]


def _panel(report: Report, over: str, order: list[str], width: float, names: float, *, above: bool) -> Spec:
    rows = _rows(report, over)
    lowest = min(row["low"] for panel in panels_of(report) for row in _rows(report, panel))
    x: Spec = {"field": "value", "type": "quantitative", "title": None,
               "scale": {"domain": [-1 if lowest < -0.25 else -0.25, 1]}, "axis": {"tickCount": 5}}  # fmt: skip
    shown: Spec = {"labelLimit": names, "labelPadding": 8} if names else {"labels": False}
    y: Spec = {"field": "label", "type": "nominal", "sort": order, "title": None, "scale": {"domain": order},
               "axis": {"domain": False, "ticks": False} | shown}  # fmt: skip
    return {
        "title": {"text": TITLES[over].format(n=max(row["n"] for row in rows)), "fontSize": 13, "offset": 10,
                  "frame": "group"},
        "width": width,
        "height": {"step": 40 if above else 30},
        "data": {"values": rows},
        "layer": [*_ceiling(_band(report, over), x), _zero(x), *_points(x, y, width), *(_above(y) if above else [])],
    }  # fmt: skip


def _points(x: Spec, y: Spec, width: float) -> list[Spec]:
    tint: Spec = {"value": TONE}
    return [
        {"mark": {"type": "rule", "strokeWidth": 2},
         "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint}},
        {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
         "encoding": {"y": y, "x": x, "color": tint, **TIP}},
        {"mark": {"type": "text", "align": "left", "dx": 8},
         "encoding": {"y": y, "x": {"value": width}, "text": {"field": "note"}}},
    ]  # fmt: skip


def _above(y: Spec) -> list[Spec]:
    """The names, each over its row."""
    mark: Spec = {"type": "text", "align": "left", "dy": -13}
    return [{"mark": mark, "encoding": {"y": y, "x": {"value": 0}, "text": {"field": "label"}}}]


def _zero(x: Spec) -> Spec:
    return {"data": {"values": [{"value": 0}]}, "mark": {"type": "rule", "opacity": 0.6, "color": INK},
            "encoding": {"x": x}}  # fmt: skip


def _ceiling(band: list[Spec], x: Spec) -> list[Spec]:
    if not band:
        return []
    return [
        {"data": {"values": band}, "mark": {"type": "rect", "opacity": 0.2, "color": BAND},
         "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}}},
        {"data": {"values": band}, "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "color": BAND},
         "encoding": {"x": x, **TIP}},
    ]  # fmt: skip


def _rows(report: Report, over: str) -> list[Spec]:
    """Metrics with a value, the nearest first."""
    wanted = (over, SHOWN[over], "ok")
    rows = [row for row in report.get("correlations", []) if (row["over"], row["coefficient"], row["status"]) == wanted]
    return [_row(row) for row in sorted(rows, key=lambda row: (-row["oriented"], row["metric"]))]


def _row(row: Report) -> Spec:
    low, high = row["oriented_ci"] or (row["oriented"], row["oriented"])
    label = metric_label(row["metric"])
    interval = f" [{low:.2f}, {high:.2f}]" if row["oriented_ci"] else ""
    tip = f"{label}: {row['oriented']:.2f}{interval}, n = {row['n']:,}"
    return {"label": label, "value": row["oriented"], "low": low, "high": high, "n": row["n"],
            "note": f"{row['oriented']:.2f}", "tip": tip}  # fmt: skip


def _band(report: Report, over: str) -> list[Spec]:
    for row in report.get("reliability", []):
        if (row["over"], row["coefficient"]) == (over, SHOWN[over]) and row["ceiling"] is not None:
            low, high = row["ceiling_ci"] or (row["ceiling"], row["ceiling"])
            tip = f"Noise ceiling {row['ceiling']:.2f} [{low:.2f}, {high:.2f}]"
            return [{"value": row["ceiling"], "low": low, "high": high, "tip": tip}]
    return []
