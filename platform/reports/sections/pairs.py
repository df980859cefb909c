"""Each pair of methods that was shown side by side."""

from collections.abc import Iterator

import numpy as np

from analysis.bootstrap import percentile_interval
from analysis.scoring.drawing import draw, observe, resampled
from analysis.scoring.people import means_of
from analysis.study import PAIRWISE
from reports.drawing import NARROW, Figure, Spec, both_widths, title_of
from reports.matrices import Cell, draw_matrix
from reports.palette import method_label
from reports.sections.section import Matter, Report, Row, Section, over_what, pair
from reports.tabulating import Column, Table, show
from reports.wording import within


def describe_pairs(matter: Matter) -> list[Row]:
    """Of each pair how often its first method won, a tie being half: means over texts, with intervals."""
    answers = matter.study.answers
    if matter.study.protocol != PAIRWISE or answers is None or matter.scores is None:
        return []
    grouped = answers.groupby(["method", "other"], sort=True)
    people = means_of(answers.assign(method=grouped.ngroup()))
    values = observe(people)
    drawn = draw(people, replicates=matter.settings.replicates, seed=matter.settings.seed)
    intervals = percentile_interval(np.clip(drawn, 0.0, 1.0))
    rows = []
    for at, ((method, other), own) in enumerate(grouped):
        ties = float((own["score"] == 0.5).mean())
        row: Row = {
            "method": str(method),
            "other": str(other),
            "value": float(values[at]),
            "ci": pair(intervals[:, at]),
        }
        rows.append(row | {"over": resampled(people), "ties": ties, "n": len(own)})
    return rows


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "First", "method"), Column("other", "Second", "method"),
        Column("value", "First won", "share"), Column("ci", "95 %", "shares"), Column("ties", "Ties", "share"),
        Column("n", "Judgments", "count"),
    ]  # fmt: skip
    return [Table("pairs", "Each pair", columns, report.get("pairs", []))]


def draw_figures(report: Report) -> list[Figure]:
    rows = report.get("pairs", [])
    if len({row[side] for row in rows for side in ("method", "other")}) < 3:
        return []
    title = "How often each method won against each other"
    return [both_widths("wins", title, lambda width: _matrix(report, rows, width), "pairs")]


def _matrix(report: Report, rows: list[Row], width: int) -> Spec:
    n = sum(row["n"] for row in rows)
    title = title_of(
        "How often the row won against the column",
        f"Per cent of {n:,} comparisons, means over texts; a tie is half a win",
        f"Columns are numbered as rows are; 95 % intervals over {over_what(report)} are in the table",
        narrow=width == NARROW,
    )
    methods = [row["method"] for row in report["methods"]]
    return draw_matrix(methods, [cell for row in rows for cell in _cells(row)], title, width)


def _cells(row: Row) -> Iterator[Cell]:
    told = f"ties {show('share', row['ties'])}, {row['n']:,} judgments"
    low, high = row["ci"] or (row["value"], row["value"])
    for first, second, value, ci in (
        (row["method"], row["other"], row["value"], [low, high]),
        (row["other"], row["method"], 1 - row["value"], [1 - high, 1 - low]),
    ):
        won = f"{method_label(first)} against {method_label(second)}: won {show('share', value)}"
        tip = f"{won}{within('shares', ci, ' %')}, {told}"
        yield Cell(first, second, 2 * value - 1, f"{value * 100:.0f}", tip)


SECTION = Section("pairs", "Pairs of methods", describe=describe_pairs, tables=make_tables, figures=draw_figures)
