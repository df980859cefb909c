"""Every explanation as a point: what people make of it against what a metric does, to find the texts behind."""

import numpy as np

from reports.drawing import NARROW, SHARE_AXIS, TIP, Figure, Spec, both_widths, title_of
from reports.measuring import human_by_explanation, metric_by_explanation
from reports.palette import colour, method_label, metric_in_sentence, metric_label
from reports.sections.section import Matter, Report, Row, Section, measured
from reports.tabulating import Column, Table, show

# More would make a cloud of the drawing and a burden of the page; the export has all.
MOST = 400
AXIS = 62
SPACING = 32


def describe_explanations(matter: Matter) -> Row | None:
    """People's score and the metrics of each explanation that has both; of very many, those of evenly spread texts."""
    scores = matter.scores
    if scores is None:
        return None
    human, metrics = human_by_explanation(matter.study, scores), metric_by_explanation(matter.study, scores)
    valued = {name: np.isfinite(values) for name, values in metrics.items()}
    known = np.isfinite(human) & np.any([*valued.values(), np.zeros(human.shape, dtype=bool)], axis=0)
    if known.sum() < 2:
        return None
    texts = np.flatnonzero(known.any(axis=1))
    told = texts[:: max(1, -(-int(known.sum()) // MOST))]
    rows = [
        {
            "text": scores.texts[text],
            "method": scores.methods[column],
            "human": float(human[text, column]),
            "metrics": {
                name: float(values[text, column])
                for name, values in metrics.items()
                if np.isfinite(values[text, column])
            },
        }
        for text in told
        for column in np.flatnonzero(known[text])
    ]
    return {"n": int(known.sum()), "rows": rows}


def make_tables(report: Report) -> list[Table]:
    found = report.get("explanations", {"rows": []})["rows"]
    metrics = sorted({name for row in found for name in row["metrics"]})
    unit = "share" if measured(report).is_share else "hundredth"
    columns = [Column("text", "Text", "id"), Column("method", "Method", "method"), Column("human", "People", unit)]
    columns += [Column(name, metric_label(name), "score") for name in metrics]
    return [
        Table("explanations", "Explanations, each with its scores", columns, [row | row["metrics"] for row in found])
    ]


def draw_figures(report: Report) -> list[Figure]:
    if "explanations" not in report:
        return []
    title = "Each explanation: people's score against a metric"
    return [both_widths("explanations", title, lambda width: _panels(report, width), "explanations")]


def _panels(report: Report, width: int) -> Spec:
    found, narrow = report["explanations"], width == NARROW
    metrics = sorted({name for row in found["rows"] for name in row["metrics"]})
    beside = 1 if narrow else min(2, len(metrics))
    size = (width - beside * AXIS - (beside - 1) * SPACING) / beside
    shown = f"{len(found['rows']):,} of {found['n']:,} explanations" if len(found["rows"]) < found["n"] else ""
    return {
        "title": title_of(
            "Each explanation: people's score against a metric",
            f"{shown or format(found['n'], ',') + ' explanations'}, one point each, coloured by method",
            narrow=narrow,
        ),
        "concat": [_panel(report, metric, size) for metric in metrics],
        "columns": beside,
        "spacing": SPACING,
    }


def _panel(report: Report, metric: str, width: float) -> Spec:
    rows = [_point(row, metric) for row in report["explanations"]["rows"] if metric in row["metrics"]]
    share = measured(report).is_share
    values = [row["y"] for row in rows]
    domain = [0, 1] if share else [min(1.0, *values), max(5.0, *values)]
    return {
        "title": {"text": metric_label(metric), "fontSize": 13, "offset": 10, "frame": "group"},
        "width": width,
        "height": 240,
        "data": {"values": rows},
        "mark": {"type": "point", "filled": True, "size": 34, "opacity": 0.7},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": metric_in_sentence(metric), "axis": {"tickCount": 5}},
            "y": {"field": "y", "type": "quantitative", "title": _measured(report),
                  "scale": {"domain": domain}, "axis": SHARE_AXIS if share else {"tickCount": 5}},
            "color": {"field": "colour", "type": "nominal", "scale": None},
            **TIP,
        },
    }  # fmt: skip


def _measured(report: Report) -> str:
    """Over one explanation ks are not weighted."""
    return "share of right answers" if any("by_k" in row for row in report["methods"]) else measured(report).in_sentence


def _point(row: Row, metric: str) -> Spec:
    value = row["metrics"][metric]
    tip = f"Text {row['text']}, {method_label(row['method'])}: people {row['human']:.2f}, metric {show('score', value)}"
    return {"x": value, "y": row["human"], "colour": colour(row["method"]), "text": row["text"], "tip": tip}


SECTION = Section(
    "explanations",
    "Explanations one by one",
    describe=describe_explanations,
    tables=make_tables,
    figures=draw_figures,
)
