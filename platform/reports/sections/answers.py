"""How often each answer was given under each method."""

from analysis.study import RATING
from reports.drawing import LABELS, NARROW, SHARE_AXIS, TIP, Figure, Spec, both_widths, title_of
from reports.measuring import Scores
from reports.palette import colour, method_label
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table, show

# Whose answers are points of a scale.
GRADED = (RATING, "word_importance")


def count_answers(matter: Matter, scores: Scores) -> dict[str, Row]:
    """Where there are no verdicts: answers by kind."""
    judgments = matter.study.judgments
    if scores.grid is not None or judgments is None:
        return {}
    answers = judgments.groupby(["method", "label"], sort=True).size().reset_index(name="n")
    rows = {}
    for method in scores.methods:
        own = answers[answers["method"] == method]
        counts = dict(zip(own["label"].astype(str), own["n"].astype(int).tolist(), strict=True))
        rows[method] = {"answers": counts}
    return rows


def make_tables(report: Report) -> list[Table]:
    """Of points of a scale; other answers are as many as there are labels."""
    if report["meta"]["protocol"] not in GRADED:
        return []
    columns = [
        Column("method", "Method", "method"), Column("answer", "Answer", "text"), Column("n", "Answers", "count"),
        Column("share", "Share of the method's", "share"),
    ]  # fmt: skip
    rows = [
        {"method": row["method"], "answer": answer, "n": n, "share": n / sum(row["answers"].values())}
        for row in report["methods"]
        for answer, n in sorted(row.get("answers", {}).items(), key=lambda item: float(item[0]))
    ]
    return [Table("answers", "Answers by method", columns, rows)]


def draw_figures(report: Report) -> list[Figure]:
    if report["meta"]["protocol"] not in GRADED or not report["methods"]:
        return []
    title = "Share of each answer by method"
    return [both_widths("answers", title, lambda width: _stacked(report["methods"], width), "answers")]


def _stacked(methods: list[Row], width: int) -> Spec:
    """One bar a method, light to strong."""
    ratings = sorted({int(float(label)) for row in methods for label in row["answers"]})
    x: Spec = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    shade: Spec = {"field": "shade", "type": "quantitative", "scale": None}
    n = sum(sum(row["answers"].values()) for row in methods)
    return {
        "title": title_of(
            "Share of each answer", f"{n:,} ratings, from {ratings[0]} to {ratings[-1]}", narrow=width == NARROW
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


SECTION = Section("answers", "Answers", per_method=count_answers, tables=make_tables, figures=draw_figures)
