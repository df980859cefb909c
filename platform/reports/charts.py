"""The report's figures, as SVG that follows the page's light or dark ground and prints in grey."""

import re
from typing import Any

import vl_convert

from analysis.study import RANDOM
from reports.palette import colour, method_label, metric_label

Report = dict[str, Any]
Spec = dict[str, Any]

INK = "currentColor"
PANEL_WIDTH = 168
PANEL_HEIGHT = 130
SHARE_AXIS: Spec = {"format": ".0%", "tickCount": 5}
CONFIG: Spec = {
    "background": None,
    "font": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK,
        "gridOpacity": 0.12, "domainOpacity": 0.45, "tickOpacity": 0.45,
        "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "titlePadding": 8,
    },
    "title": {
        "color": INK, "subtitleColor": INK, "fontSize": 14, "subtitleFontSize": 12, "anchor": "start",
        "subtitlePadding": 4, "offset": 14,
    },
    "text": {"color": INK, "fontSize": 11},
}  # fmt: skip


def draw_figures(report: Report) -> dict[str, str]:
    """SVG by figure name; a figure without data is left out. Names ending in `_narrow` suit a phone."""
    specs: dict[str, Spec] = {}
    methods = [row for row in report["methods"] if row["rank"] is not None or row.get("by_k")]
    if any(row.get("by_k") for row in methods):
        specs["accuracy_by_k"] = _accuracy_by_k(methods, columns=4)
        specs["accuracy_by_k_narrow"] = _accuracy_by_k(methods, columns=2)
    if any(row["rank"] is not None for row in methods):
        specs["scores"] = _forest(methods, width=520)
        specs["scores_narrow"] = _forest(methods, width=190)
    if any("mean_opinion" in row for row in methods):
        specs["answers"] = _answers(methods, width=560)
        specs["answers_narrow"] = _answers(methods, width=250)
    if report.get("metric_means"):
        specs["human_and_metrics"] = _scatter(report, columns=2)
        specs["human_and_metrics_narrow"] = _scatter(report, columns=1)
    return {name: _svg(name, spec) for name, spec in specs.items()}


def _accuracy_by_k(methods: list[Report], columns: int) -> Spec:
    """One panel a method, best first, each with Random's line behind it: nothing overlaps, no legend is needed."""
    random = next((row for row in methods if row["method"] == RANDOM), None)
    shown = [row for row in methods if row["method"] != RANDOM] or methods
    n = max(cell["n"] for row in methods for cell in row["by_k"].values())
    return {
        "title": _title(
            "Texts whose label people recognise, by number of shown words",
            f"Share of {n} texts recognised by the majority; bands are 95 % Wilson intervals",
            "Grey dashes: Random" if random else "There was no Random arm",
            narrow=columns == 2,
        ),
        "concat": [_k_panel(row, random, position, columns) for position, row in enumerate(shown)],
        "columns": columns,
        # Aligned by their frames, so that axis labels of the first column push no title out of line.
        "bounds": "flush",
        "spacing": {"row": 84, "column": 18},
    }


def _k_panel(row: Report, random: Report | None, position: int, columns: int) -> Spec:
    ks = sorted(int(k) for k in row["by_k"])
    points = _k_points(row, "own")
    points += _k_points(random, "random", labelled=position == 0) if random and random != row else []
    # Only the first column shows the axis; the others keep room for it, so that all titles stand in line.
    hidden: Spec = {"labelOpacity": 0, "ticks": False, "domain": False} if position % columns else {}
    return {
        "title": {"text": method_label(row["method"]), "fontSize": 12, "offset": 8, "frame": "group"},
        "width": PANEL_WIDTH if columns == 4 else 122,
        "height": PANEL_HEIGHT,
        "data": {"values": points},
        "encoding": {
            "x": {"field": "k", "type": "quantitative", "title": "words shown",
                  "scale": {"domain": [0, max(ks)]}, "axis": {"values": ks, "grid": False}},
            "y": {"field": "accuracy", "type": "quantitative", "title": None,
                  "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS | hidden},
            "color": {"field": "colour", "type": "nominal", "scale": None},
        },
        "layer": _k_layers(note_dy=14 if _last(random or row) > 0.2 else -10),
    }  # fmt: skip


def _k_layers(note_dy: int) -> list[Spec]:
    bounds = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
    random = [{"filter": "datum.series == 'random'"}]
    own = [{"filter": "datum.series == 'own'"}]
    label: Spec = {"text": {"field": "note"}, "color": {"value": INK}}
    return [
        {"transform": random, "mark": {"type": "area", "opacity": 0.14}, "encoding": bounds},
        {"transform": random, "mark": {"type": "line", "strokeDash": [4, 3], "strokeWidth": 1.5}},
        {"transform": own, "mark": {"type": "area", "opacity": 0.24}, "encoding": bounds},
        {"transform": own, "mark": {"type": "rule", "strokeWidth": 1}, "encoding": bounds},
        {"transform": own, "mark": {"type": "line", "strokeWidth": 2}},
        {"transform": own, "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1}},
        {"transform": random, "mark": {"type": "text", "align": "right", "dy": note_dy}, "encoding": label},
    ]


def _last(row: Report) -> float:
    """Accuracy at the largest k, where the label stands."""
    return float(row["by_k"][max(row["by_k"], key=int)]["accuracy"] or 0)


def _k_points(row: Report, series: str, *, labelled: bool = False) -> list[Spec]:
    judged = {int(k): cell for k, cell in row["by_k"].items() if cell["accuracy"] is not None}
    return [
        {
            "series": series,
            "colour": colour(row["method"]),
            "k": k,
            "accuracy": cell["accuracy"],
            "low": cell["ci"][0],
            "high": cell["ci"][1],
            "n": cell["n"],
            "note": "Random" if labelled and k == max(judged) else "",
        }
        for k, cell in judged.items()
    ]


def _forest(methods: list[Report], width: int) -> Spec:
    """Point and interval of each method's score, best on top; Random's score runs down as the reference."""
    ratings = "mean_opinion" in methods[0]
    rows = [row for row in map(_score_row, methods) if row["score"] is not None]
    domain = [1, max(5.0, *(row["high"] for row in rows))] if ratings else [0, 1]
    axis: Spec = {"format": ".0f" if ratings else ".0%", "tickCount": 5, "grid": True}
    texts = max(row["n"] for row in rows)
    measure = "Mean opinion of each method" if ratings else "Weighted accuracy of each method"
    detail = f"Mean over {texts} texts" if ratings else f"Harder ks weigh more (w ~ 1 - mean); {texts} texts"
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": 150}}  # fmt: skip
    x: Spec = {"field": "score", "type": "quantitative", "title": None, "scale": {"domain": domain}, "axis": axis}
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    reference = [row for row in rows if row["method"] == RANDOM]
    return {
        "title": _title(measure, f"{detail}; bars are 95 % bootstrap intervals over texts", narrow=width < 400),
        "width": width,
        "height": {"step": 28},
        "data": {"values": rows},
        "layer": [
            {
                "data": {"values": reference},
                "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5},
                "encoding": {"x": x, "color": tint},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": {"y": y, "x": x, "color": tint},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8},
                "encoding": {"y": y, "x": {"value": width}, "text": {"field": "note"}},
            },
        ],
    }


def _score_row(row: Report) -> Spec:
    if "mean_opinion" in row:
        score, ci, n, form = row["mean_opinion"]["value"], row["mean_opinion"]["ci"], row["mean_opinion"]["n"], "{:.2f}"
    else:
        score, ci = row["weighted_accuracy"]["one_minus_mean"], row["weighted_accuracy_ci"]["one_minus_mean"]
        n, form = max(cell["n"] for cell in row["by_k"].values()), "{:.1%}"
    low, high = ci or (score, score)
    return {
        "method": row["method"],
        "label": method_label(row["method"]),
        "colour": colour(row["method"]),
        "score": score,
        "low": low,
        "high": high,
        "n": n,
        "note": "" if score is None else form.format(score),
    }


def _answers(methods: list[Report], width: int) -> Spec:
    """How often each rating was given: one bar a method, light to strong."""
    ratings = sorted({int(float(label)) for row in methods for label in row["answers"]})
    shades = {rating: round(0.18 + 0.72 * step / max(1, len(ratings) - 1), 2) for step, rating in enumerate(ratings)}
    rows = []
    for row in methods:
        total, start = sum(row["answers"].values()), 0.0
        for rating in ratings:
            share = row["answers"].get(str(rating), 0) / total
            rows.append({"label": method_label(row["method"]), "colour": colour(row["method"]), "start": start,
                         "end": start + share, "middle": start + share / 2, "shade": shades[rating],
                         "note": str(rating) if share >= 0.06 else ""})  # fmt: skip
            start += share
    x: Spec = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": 150}}  # fmt: skip
    n = sum(sum(row["answers"].values()) for row in methods)
    return {
        "title": _title("Share of each answer", f"{n} ratings, from {ratings[0]} to {ratings[-1]}", narrow=width < 400),
        "width": width,
        "height": {"step": 28},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "bar", "height": 20},
                "encoding": {"y": y, "x": x | {"field": "start"}, "x2": {"field": "end"},
                             "color": {"field": "colour", "type": "nominal", "scale": None},
                             "opacity": {"field": "shade", "type": "quantitative", "scale": None}},
            },
            {
                "mark": {"type": "text"},
                "encoding": {"y": y, "x": x | {"field": "middle"}, "text": {"field": "note"}},
            },
        ],
    }  # fmt: skip


def _scatter(report: Report, columns: int) -> Spec:
    """People's mean score against each metric's mean, one point a method, with both intervals."""
    ratings = report["meta"]["protocol"] == "rating"
    metrics = sorted({row["metric"] for row in report["metric_means"]})
    top = max([1.0, *(row["human_ci"][1] for row in report["metric_means"] if row["human_ci"])])
    domain = [1, max(5.0, top)] if ratings else [0, 1]
    panels = [_scatter_panel(report, metric, domain, narrow=columns == 1) for metric in metrics]
    n = max(row["n"] for row in report["metric_means"])
    return {
        "title": _title(
            "People's scores against automatic metrics",
            f"{'Mean rating' if ratings else 'Share of right answers'} and metric, means over up to {n} texts",
            "Crosses are 95 % bootstrap intervals over texts",
            narrow=columns == 1,
        ),
        "concat": panels,
        "columns": columns,
        "spacing": 32,
    }


def _scatter_panel(report: Report, metric: str, domain: list[float], *, narrow: bool) -> Spec:
    rows = [_scatter_row(row) for row in report["metric_means"] if row["metric"] == metric]
    lowest, highest = min(row["x_low"] for row in rows), max(row["x_high"] for row in rows)
    _place_labels(rows, domain[1] - domain[0])
    edge = highest + 0.04 * (highest - min(lowest, 0.0))
    x_domain = [min(lowest, 0.0), edge]
    y: Spec = {"field": "y", "type": "quantitative", "title": "people's score", "scale": {"domain": domain},
               "axis": SHARE_AXIS if domain[0] == 0 else {"tickCount": 5}}  # fmt: skip
    x: Spec = {"field": "x", "type": "quantitative", "title": metric_label(metric).lower(),
               "scale": {"domain": x_domain, "nice": False}, "axis": {"tickCount": 5}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "title": {"text": metric_label(metric), "subtitle": _tau_lines(report, metric), "fontSize": 12,
                  "subtitleFontSize": 11, "offset": 8},
        "width": 170 if narrow else 270,
        "height": 240,
        "data": {"values": rows},
        "layer": [
            {"mark": {"type": "rule", "opacity": 0.45, "strokeWidth": 0.8, "strokeDash": [1, 2]},
             "encoding": {"x": x | {"field": "x_high"}, "x2": {"datum": edge}, "y": y,
                          "y2": {"field": "label_y"}, "color": tint}},
            {"mark": {"type": "rule", "strokeWidth": 1.5},
             "encoding": {"x": x | {"field": "x_low"}, "x2": {"field": "x_high"}, "y": y, "color": tint}},
            {"mark": {"type": "rule", "strokeWidth": 1.5},
             "encoding": {"x": x, "y": y | {"field": "y_low"}, "y2": {"field": "y_high"}, "color": tint}},
            {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
             "encoding": {"x": x, "y": y, "color": tint}},
            {"mark": {"type": "text", "align": "left", "dx": 4},
             "encoding": {"x": {"datum": edge, "type": "quantitative"}, "y": y | {"field": "label_y"},
                          "text": {"field": "label"}}},
        ],
    }  # fmt: skip


def _scatter_row(row: Report) -> Spec:
    x_low, x_high = row["value_ci"] or (row["value"], row["value"])
    y_low, y_high = row["human_ci"] or (row["human"], row["human"])
    place = {"x": row["value"], "x_low": x_low, "x_high": x_high, "y": row["human"], "y_low": y_low, "y_high": y_high}
    return {"label": method_label(row["method"]), "colour": colour(row["method"]), **place}


def _place_labels(rows: list[Spec], height: float) -> None:
    """Labels stand in one column at the right edge, each at its point's height or just above the label below it."""
    free = float("-inf")
    for row in sorted(rows, key=lambda row: row["y"]):
        row["label_y"] = max(row["y"], free)
        free = row["label_y"] + height * 0.06


def _tau_lines(report: Report, metric: str) -> list[str]:
    lines = []
    for row in report.get("correlations", []):
        if row["metric"] == metric and row["status"] == "ok":
            ci = "" if row["ci"] is None else f" [{row['ci'][0]:.2f}, {row['ci'][1]:.2f}]"
            lines.append(f"tau-b over {row['n']} {row['over']}: {row['value']:.2f}{ci}")
    return lines


def _title(text: str, *subtitle: str, narrow: bool) -> Spec:
    lines = [part for line in (text, *subtitle) for part in (_wrapped(line, 46) if narrow else [line])]
    head = len(_wrapped(text, 46)) if narrow else 1
    return {"text": lines[:head], "subtitle": lines[head:]}


def _wrapped(line: str, width: int) -> list[str]:
    lines = [""]
    for word in line.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _svg(name: str, spec: Spec) -> str:
    """The drawing, with identifiers of its own: several share a page, and a second drawing has the same bytes."""
    full = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "config": CONFIG, **spec}
    svg = str(vl_convert.vegalite_to_svg(full))
    found = re.findall(r'\bid="([^"]+)"', svg)
    for number, identifier in enumerate(dict.fromkeys(found)):
        svg = re.sub(rf'(id="|url\(#){re.escape(identifier)}(?=["\)])', rf"\g<1>{name}-{number}", svg)
    return svg
