"""People's scores against automatic metrics: one panel a metric, one labelled point a method."""

from analysis.correlation.coefficients import KENDALL, SPEARMAN
from analysis.correlation.reliability import METHODS, WITHIN
from catalogue.metrics import METRICS
from reports.drawing import NARROW, SHARE_AXIS, TIP, WIDE, Report, Spec, title_of
from reports.labelling import SWATCH, Mark, place_labels
from reports.measures import MEASURES
from reports.palette import colour, method_label, metric_in_sentence, metric_label

AXIS = 62  # what the vertical axis takes beside a panel
SPACING = 32
HEIGHT = 330
LINES = (
    (METHODS, KENDALL, "tau-b, {n:,} methods"),
    (WITHIN, SPEARMAN, "rho within {n:,} texts"),
)
Domain = tuple[float, float]


def scatter(report: Report, columns: int) -> Spec:
    """People's mean score against each metric's mean, one point a method, with both intervals."""
    measure = MEASURES[report["meta"]["protocol"]]
    measured = "Share of right answers" if any("by_k" in row for row in report["methods"]) else measure.label
    metrics = sorted({row["metric"] for row in report["metric_means"]})
    top = max([1.0, *(row["human_ci"][1] for row in report["metric_means"] if row["human_ci"])])
    low = min([1.0, *(row["human_ci"][0] for row in report["metric_means"] if row["human_ci"])])
    y_domain = (0.0, 1.0) if measure.is_share else (low, max(5.0, top))
    n = max(row["n"] for row in report["metric_means"])
    beside = min(columns, len(metrics))
    width = ((NARROW if columns == 1 else WIDE) - beside * AXIS - (beside - 1) * SPACING) / beside
    return {
        "title": title_of(
            "People's scores against automatic metrics",
            f"{measured} and metric, means over up to {n} texts",
            "Crosses are 95 % bootstrap intervals over texts",
            narrow=columns == 1,
        ),
        "concat": [_panel(report, metric, y_domain, width, measured.lower()) for metric in metrics],
        "columns": columns,
        "spacing": SPACING,
    }


def _panel(report: Report, metric: str, y_domain: Domain, width: float, measured: str) -> Spec:
    rows = [_row(row) for row in report["metric_means"] if row["metric"] == metric]
    x_domain = _x_domain(rows)
    _label(rows, x_domain, y_domain, width)
    shares = y_domain == (0.0, 1.0)
    y: Spec = {"field": "y", "type": "quantitative", "title": measured,
               "scale": {"domain": y_domain, "nice": False},
               "axis": SHARE_AXIS if shares else {"tickCount": 5}}  # fmt: skip
    x: Spec = {"field": "x", "type": "quantitative", "title": _metric_title(metric),
               "scale": {"domain": x_domain, "nice": False}, "axis": {"tickCount": 5}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "title": {"text": metric_label(metric), "subtitle": _tau_lines(report, metric), "fontSize": 13,
                  "subtitleFontSize": 12, "offset": 10, "frame": "group" if width > NARROW else "bounds"},
        "width": width,
        "height": HEIGHT,
        "data": {"values": rows},
        "layer": _layers(x, y, tint),
    }  # fmt: skip


def _layers(x: Spec, y: Spec, tint: Spec) -> list[Spec]:
    return [
        {"mark": {"type": "rule", "strokeWidth": 1, "strokeDash": [2, 3]},
         "encoding": {"x": x, "y": y | {"field": "line_from"}, "y2": {"field": "line_to"}, "color": tint}},
        {"mark": {"type": "rule", "strokeWidth": 1.5},
         "encoding": {"x": x | {"field": "x_low"}, "x2": {"field": "x_high"}, "y": y, "color": tint}},
        {"mark": {"type": "rule", "strokeWidth": 1.5},
         "encoding": {"x": x, "y": y | {"field": "y_low"}, "y2": {"field": "y_high"}, "color": tint}},
        {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
         "encoding": {"x": x, "y": y, "color": tint, **TIP}},
        {"mark": {"type": "point", "filled": True, "size": 40, "opacity": 1, "xOffset": SWATCH / 2 - 2},
         "encoding": {"x": x | {"field": "label_x"}, "y": y | {"field": "label_y"}, "color": tint}},
        {"mark": {"type": "text", "align": "left", "dx": SWATCH},
         "encoding": {"x": x | {"field": "label_x"}, "y": y | {"field": "label_y"}, "text": {"field": "label"}}},
    ]  # fmt: skip


def _row(row: Report) -> Spec:
    x_low, x_high = row["value_ci"] or (row["value"], row["value"])
    y_low, y_high = row["human_ci"] or (row["human"], row["human"])
    place = {"x": row["value"], "x_low": x_low, "x_high": x_high, "y": row["human"], "y_low": y_low, "y_high": y_high}
    name = method_label(row["method"])
    tip = f"{name}: people {row['human']:.3f}, metric {row['value']:.3f}, {row['n']:,} texts"
    return {"label": name, "colour": colour(row["method"]), "tip": tip + _apart(row), **place}


def _apart(row: Report) -> str:
    """The texts behind the point on which people and the metric differ most."""
    texts = [f"{one['text']} (people {one['human']:.2f}, metric {one['value']:.2f})" for one in row.get("apart", [])]
    return f"; furthest apart on {', '.join(texts)}" if texts else ""


def _x_domain(rows: list[Spec]) -> Domain:
    """From zero, or from below it where values are negative, with a margin; never empty."""
    lowest = min(0.0, *(row["x_low"] for row in rows))
    highest = max(0.0, *(row["x_high"] for row in rows))
    margin = 0.04 * (highest - lowest) or 1.0
    return (lowest - margin if lowest < 0 else 0.0, highest + margin)


def _label(rows: list[Spec], x_domain: Domain, y_domain: Domain, width: float) -> None:
    """Adds where each label and the line to its point stand, in the units of the axes."""

    def across(value: float) -> float:
        return (value - x_domain[0]) / (x_domain[1] - x_domain[0]) * width

    def down(value: float) -> float:
        return (y_domain[1] - value) / (y_domain[1] - y_domain[0]) * HEIGHT

    def up(pixels: float) -> float:
        return y_domain[1] - pixels / HEIGHT * (y_domain[1] - y_domain[0])

    marks = [
        Mark(row["label"], across(row["x"]), down(row["y"]), across(row["x_low"]), across(row["x_high"]),
             down(row["y_high"]), down(row["y_low"]))
        for row in rows
    ]  # fmt: skip
    for row, label in zip(rows, place_labels(marks, width, HEIGHT), strict=True):
        row["label_x"] = x_domain[0] + label.box.left / width * (x_domain[1] - x_domain[0])
        row |= {"label_y": up(label.y), "line_from": up(label.line_from), "line_to": up(label.line_to)}


def _metric_title(metric: str) -> str:
    known = METRICS.get(metric)
    better = f" ({'higher' if known.higher_is_better else 'lower'} is better)" if known else ""
    return metric_in_sentence(metric) + better


def _tau_lines(report: Report, metric: str) -> list[str]:
    lines = []
    for over, coefficient, said in LINES:
        for row in report.get("correlations", []):
            own = (row["metric"], row["over"], row["coefficient"], row["status"])
            if own == (metric, over, coefficient, "ok"):
                ci = "" if row["ci"] is None else f" [{row['ci'][0]:.2f}, {row['ci'][1]:.2f}]"
                lines.append(f"{said.format(n=row['n'])}: {row['value']:.2f}{ci}")
    return lines
