"""Accuracy against the number of shown words, where answers can be right at some k."""

import numpy as np

from analysis.bootstrap import percentile_interval
from analysis.scoring.accuracy import mean_accuracy, wilson
from analysis.scoring.grid import Grid
from analysis.study import RANDOM
from reports.drawing import NARROW, SHARE_AXIS, TIP, Figure, Spec, both_widths, title_of
from reports.measuring import Resampled, Scores
from reports.palette import colour, method_label
from reports.sections.section import Matter, Report, Row, Section, number, pair
from reports.tabulating import Column, Table, show
from reports.wording import within

K_AXIS = 56
K_SPACING = 18


def score_verdicts(matter: Matter, scores: Scores) -> dict[str, Row]:
    """Accuracy by k, its mean and weighted means with intervals over texts and workers."""
    grid = scores.grid
    if grid is None:
        return {}
    draws = matter.draws
    means = mean_accuracy(draws.means[None])[0]
    intervals = {name: percentile_interval(drawn) for name, drawn in draws.weighted_drawn.items()}
    rows: dict[str, Row] = {}
    for column, method in enumerate(grid.methods):
        rows[method] = {
            "by_k": {str(k): _by_k(grid, draws, column, layer) for layer, k in enumerate(grid.ks)},
            "mean_accuracy": number(means[column]),
            "mean_accuracy_ci": pair(intervals["uniform"][:, column]),
            "weighted_accuracy": {name: number(values[column]) for name, values in draws.weighted.items()},
            "weighted_accuracy_ci": {name: pair(interval[:, column]) for name, interval in intervals.items()},
        }
        if rows[method]["mean_accuracy"] is None:
            rows[method]["status"] = "not_judged_at_every_k"
    return rows


def _by_k(grid: Grid, draws: Resampled, column: int, layer: int) -> Row:
    """Wilson's interval; where workers judge several texts, of as many texts as their answers are worth."""
    verdicts = grid.verdicts[:, column, layer]
    n, recognised = int(np.isfinite(verdicts).sum()), int(np.nansum(verdicts))
    worth = None
    if draws.over == "texts_and_workers" and 0 < recognised < n:
        variance = float(np.nanvar(draws.means_drawn[:, column, layer]))
        worth = min(n, recognised / n * (1 - recognised / n) / variance) if variance else None
    share = wilson(recognised, n, worth=worth)
    row: Row = {"accuracy": number(share.value), "n": share.n, "ci": pair(np.array([share.low, share.high]))}
    return row if share.n else row | {"status": "not_judged"}


def make_tables(report: Report) -> list[Table]:
    return [_matrix(report), _long(report)]


def _matrix(report: Report) -> Table:
    ks = sorted({int(k) for row in report["methods"] for k in row.get("by_k", {})})
    rows = [
        {"method": row["method"], **{f"k_{k}": cell["accuracy"] for k, cell in row["by_k"].items()}}
        for row in report["methods"]
        if "by_k" in row
    ]
    columns = [Column("method", "Method", "method"), *(Column(f"k_{k}", f"k = {k}", "share") for k in ks)]
    return Table("accuracy", "Accuracy by number of shown words", columns, rows)


def _long(report: Report) -> Table:
    columns = [
        Column("method", "Method", "method"), Column("k", "Words shown", "count"),
        Column("accuracy", "Accuracy", "share"), Column("ci", "95 % Wilson", "shares"), Column("n", "Texts", "count"),
    ]  # fmt: skip
    rows = [
        {"method": row["method"], "k": int(k), **cell}
        for row in report["methods"]
        for k, cell in row.get("by_k", {}).items()
    ]
    return Table("accuracy_by_k", "Accuracy by number of shown words, with intervals", columns, rows)


def draw_figures(report: Report) -> list[Figure]:
    methods = [row for row in report["methods"] if row.get("by_k")]
    if not methods:
        return []
    title = "Accuracy by number of shown words, with intervals"
    return [both_widths("accuracy_by_k", title, lambda width: _accuracy_by_k(methods, width), "accuracy_by_k")]


def _accuracy_by_k(methods: list[Row], width: int) -> Spec:
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
        "concat": [_panel(row, random, size, first=place % columns == 0) for place, row in enumerate(shown)],
        "columns": columns,
        # Aligned by their frames, so that axis labels of the first column push no title out of line.
        "bounds": "flush",
        "spacing": {"row": 84, "column": K_SPACING},
    }


def _panel(row: Row, random: Row | None, size: tuple[float, int], *, first: bool) -> Spec:
    ks = sorted(int(k) for k in row["by_k"])
    points = _points(row, "own")
    points += _points(random, "random") if random and random != row else []
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
        "layer": _layers(),
    }  # fmt: skip


def _layers() -> list[Spec]:
    bounds = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
    random = [{"filter": "datum.series == 'random'"}]
    own = [{"filter": "datum.series == 'own'"}]
    return [
        {"transform": random, "mark": {"type": "area", "opacity": 0.14}, "encoding": bounds},
        {"transform": random, "mark": {"type": "line", "strokeDash": [4, 3], "strokeWidth": 1.5}},
        {"transform": own, "mark": {"type": "area", "opacity": 0.24}, "encoding": bounds},
        {"transform": own, "mark": {"type": "rule", "strokeWidth": 1}, "encoding": bounds},
        {"transform": own, "mark": {"type": "line", "strokeWidth": 2}},
        {"transform": own, "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1}, "encoding": TIP},
    ]


def _points(row: Row, series: str) -> list[Spec]:
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
            "tip": f"{method_label(row['method'])}, {k} words: {show('share', cell['accuracy'])}"
            f"{within('shares', cell['ci'], ' %')}, {cell['n']:,} texts",
        }
        for k, cell in judged.items()
    ]


SECTION = Section(
    "accuracy", "Accuracy by words shown", per_method=score_verdicts, tables=make_tables, figures=draw_figures
)
