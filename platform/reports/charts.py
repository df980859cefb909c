"""The report's figures; they print in grey."""

from analysis.study import RANDOM, RATING
from reports.drawing import NARROW, SHARE_AXIS, WIDE, Report, Spec, title_of, to_svg
from reports.measures import MEASURES, Measure
from reports.palette import colour, method_label
from reports.scattering import scatter
from reports.tabulating import show

K_AXIS = 56
K_SPACING = 18
LABELS = 130  # at most, beside a figure with one row a method
NOTES = 58
# Whose answers are points of a scale.
GRADED = (RATING, "word_importance")


def draw_figures(report: Report) -> dict[str, str]:
    """SVG by figure name; a figure without data is left out. Names ending in `_narrow` suit a phone."""
    specs: dict[str, Spec] = {}
    measure = MEASURES[report["meta"]["protocol"]]
    methods = [row for row in report["methods"] if row["rank"] is not None or row.get("by_k") or not measure.ranked]
    if any(row.get("by_k") for row in methods):
        specs["accuracy_by_k"] = _accuracy_by_k(methods, WIDE)
        specs["accuracy_by_k_narrow"] = _accuracy_by_k(methods, NARROW)
    if any(row["rank"] is not None for row in methods) or (methods and not measure.ranked):
        specs["scores"] = _forest(methods, measure, width=WIDE)
        specs["scores_narrow"] = _forest(methods, measure, width=NARROW)
    if report["meta"]["protocol"] in GRADED and methods:
        specs["answers"] = _answers(methods, width=WIDE)
        specs["answers_narrow"] = _answers(methods, width=NARROW)
    if report.get("metric_means"):
        specs["human_and_metrics"] = scatter(report, columns=2)
        specs["human_and_metrics_narrow"] = scatter(report, columns=1)
    return {name: to_svg(name, spec) for name, spec in specs.items()}


def _accuracy_by_k(methods: list[Report], width: int) -> Spec:
    """One panel a method, best first, each with Random's line behind it: nothing overlaps, no legend is needed."""
    random = next((row for row in methods if row["method"] == RANDOM), None)
    shown = [row for row in methods if row["method"] != RANDOM] or methods
    n = max(cell["n"] for row in methods for cell in row["by_k"].values())
    columns = 2 if width == NARROW else min(4, max(2, len(shown)))
    size = (width - K_AXIS - (columns - 1) * K_SPACING) / columns, 120 if width == NARROW else 160
    return {
        "title": title_of(
            "Texts whose label people recognise, by number of shown words",
            f"Share of {n} texts recognised by the majority; bands are 95 % Wilson intervals",
            "Grey dashes: Random" if random else "There was no Random arm",
            narrow=width == NARROW,
        ),
        "concat": [_k_panel(row, random, size, first=place % columns == 0) for place, row in enumerate(shown)],
        "columns": columns,
        # Aligned by their frames, so that axis labels of the first column push no title out of line.
        "bounds": "flush",
        "spacing": {"row": 84, "column": K_SPACING},
    }


def _k_panel(row: Report, random: Report | None, size: tuple[float, int], *, first: bool) -> Spec:
    ks = sorted(int(k) for k in row["by_k"])
    points = _k_points(row, "own")
    points += _k_points(random, "random") if random and random != row else []
    # Only the first column shows the axis; the others keep room for it, so that all titles stand in line.
    hidden: Spec = {} if first else {"labelOpacity": 0, "ticks": False, "domain": False}
    return {
        "title": {"text": method_label(row["method"]), "fontSize": 12 if size[0] > 150 else 11,
                  "offset": 8, "frame": "group"},
        "width": size[0],
        "height": size[1],
        "data": {"values": points},
        "encoding": {
            "x": {"field": "k", "type": "quantitative", "title": "words shown",
                  "scale": {"domain": [0, max(ks)]}, "axis": {"values": ks, "grid": False}},
            "y": {"field": "accuracy", "type": "quantitative", "title": None,
                  "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS | hidden},
            "color": {"field": "colour", "type": "nominal", "scale": None},
        },
        "layer": _k_layers(),
    }  # fmt: skip


def _k_layers() -> list[Spec]:
    bounds = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
    random = [{"filter": "datum.series == 'random'"}]
    own = [{"filter": "datum.series == 'own'"}]
    return [
        {"transform": random, "mark": {"type": "area", "opacity": 0.14}, "encoding": bounds},
        {"transform": random, "mark": {"type": "line", "strokeDash": [4, 3], "strokeWidth": 1.5}},
        {"transform": own, "mark": {"type": "area", "opacity": 0.24}, "encoding": bounds},
        {"transform": own, "mark": {"type": "rule", "strokeWidth": 1}, "encoding": bounds},
        {"transform": own, "mark": {"type": "line", "strokeWidth": 2}},
        {"transform": own, "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1}},
    ]


def _k_points(row: Report, series: str) -> list[Spec]:
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
        }
        for k, cell in judged.items()
    ]


def _forest(methods: list[Report], measure: Measure, width: int) -> Spec:
    """Point and interval of each method's score, best on top; Random's score runs down as the reference."""
    rows = [row for row in (_score_row(row, measure) for row in methods) if row["score"] is not None]
    low, high = min(1.0, *(row["low"] for row in rows)), max(5.0, *(row["high"] for row in rows))
    domain = [0, 1] if measure.is_share else [low, high]
    axis: Spec = SHARE_AXIS if measure.is_share else {"tickCount": 5}
    inner = width - LABELS - NOTES
    texts = max(row["n"] for row in rows)
    title = f"{measure.label} of each method"
    detail = (
        f"Harder ks weigh more (w ~ 1 - mean); {texts} texts" if "by_k" in methods[0] else f"Mean over {texts} texts"
    )
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    x: Spec = {"field": "score", "type": "quantitative", "title": None, "scale": {"domain": domain}, "axis": axis}
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    random = [row for row in rows if row["method"] == RANDOM]
    # Without such an arm there is no layer: a mark of nothing is a riddle to screen readers.
    reference: list[Spec] = [
        {
            "data": {"values": random},
            "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5},
            "encoding": {"x": x, "color": tint},
        }
    ]
    return {
        "title": title_of(title, f"{detail}; bars are 95 % bootstrap intervals over texts", narrow=width == NARROW),
        "width": inner,
        "height": {"step": 32},
        "data": {"values": rows},
        "layer": [
            *(reference if random else []),
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
                "encoding": {"y": y, "x": {"value": inner}, "text": {"field": "note"}},
            },
        ],
    }


def _score_row(row: Report, measure: Measure) -> Spec:
    if "by_k" not in row:
        score, ci, n = (row[measure.name][part] for part in ("value", "ci", "n"))
        note = "" if score is None else show("share", score) if measure.is_share else f"{score:.2f}"
    else:
        score, ci = row["weighted_accuracy"]["one_minus_mean"], row["weighted_accuracy_ci"]["one_minus_mean"]
        n, note = max(cell["n"] for cell in row["by_k"].values()), show("share", score)
    low, high = ci or (score, score)
    return {
        "method": row["method"],
        "label": method_label(row["method"]),
        "colour": colour(row["method"]),
        "score": score,
        "low": low,
        "high": high,
        "n": n,
        "note": note,
    }


def _answers(methods: list[Report], width: int) -> Spec:
    """How often each rating was given: one bar a method, light to strong."""
    ratings = sorted({int(float(label)) for row in methods for label in row["answers"]})
    shades = {rating: round(0.1 + 0.5 * step / max(1, len(ratings) - 1), 2) for step, rating in enumerate(ratings)}
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
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    n = sum(sum(row["answers"].values()) for row in methods)
    return {
        "title": title_of(
            "Share of each answer", f"{n:,} ratings, from {ratings[0]} to {ratings[-1]}", narrow=width == NARROW
        ),
        "width": width - LABELS - 16,
        "height": {"step": 32},
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "bar", "height": 22, "strokeWidth": 1},
                "encoding": {"y": y, "x": x | {"field": "start"}, "x2": {"field": "end"},
                             "fill": {"field": "colour", "type": "nominal", "scale": None},
                             "stroke": {"field": "colour", "type": "nominal", "scale": None},
                             "fillOpacity": {"field": "shade", "type": "quantitative", "scale": None}},
            },
            {
                "mark": {"type": "text"},
                "encoding": {"y": y, "x": x | {"field": "middle"}, "text": {"field": "note"}},
            },
        ],
    }  # fmt: skip
