"""The means that the scatter of people's scores against metrics shows."""

import numpy as np
from scipy.stats import rankdata

from analysis.arrays import FloatArray
from analysis.correlation.relating import orient
from reports.drawing import NARROW, Figure, both_widths
from reports.measuring import human_by_explanation, metric_by_explanation, summarise_columns
from reports.relating import direction
from reports.scattering import scatter
from reports.sections.section import Matter, Report, Row, Section, measured, number, pair, units
from reports.tabulating import Column, Table

# Texts told of behind each point.
MOST_APART = 3


def describe_means(matter: Matter) -> list[Row]:
    """Per metric and method people's mean score and the metric's mean, over the texts that have both."""
    study, scores, settings = matter.study, matter.scores, matter.settings
    if scores is None:
        return []
    human = human_by_explanation(study, scores)
    rows = []
    for metric, values in metric_by_explanation(study, scores).items():
        both = np.isfinite(human) & np.isfinite(values)
        people, machine = (summarise_columns(np.where(both, x, np.nan), settings) for x in (human, values))
        for column, method in enumerate(scores.methods):
            if n := int(both[:, column].sum()):
                row: Row = {"method": method, "metric": metric, "n": n}
                row |= {"human": number(people[0][column]), "human_ci": pair(people[1][:, column])}
                row |= {"value": number(machine[0][column]), "value_ci": pair(machine[1][:, column])}
                turned = orient(values[:, column], direction(metric))
                apart = _furthest_apart(human[:, column], turned)
                row["apart"] = [
                    {"text": scores.texts[at], "human": float(human[at, column]), "value": float(values[at, column])}
                    for at in apart
                ]
                rows.append(row)
    return rows


def _furthest_apart(human: FloatArray, metric: FloatArray) -> list[int]:
    """The texts behind a point on which people and the metric differ most: in rank among the method's texts."""
    known = np.flatnonzero(np.isfinite(human) & np.isfinite(metric))
    if len(known) < 2 * MOST_APART:
        return []
    apart = np.abs(rankdata(human[known]) - rankdata(metric[known]))
    return [int(known[at]) for at in np.argsort(-apart, kind="stable")[:MOST_APART]]


def make_tables(report: Report) -> list[Table]:
    unit, interval = units(measured(report))
    columns = [
        Column("metric", "Metric", "metric"), Column("method", "Method", "method"),
        Column("value", "Metric's mean", "score"), Column("value_ci", "95 %", "scores"),
        Column("human", "People's mean", unit), Column("human_ci", "95 %", interval), Column("n", "Texts", "count"),
    ]  # fmt: skip
    return [Table("metric_means", "Means of people's scores and metrics", columns, report.get("metric_means", []))]


def draw_figures(report: Report) -> list[Figure]:
    if not report.get("metric_means"):
        return []
    title = "People's scores against automatic metrics"
    drawn = both_widths(
        "human_and_metrics", title, lambda width: scatter(report, 1 if width == NARROW else 2), "metric_means"
    )
    return [drawn]


SECTION = Section(
    "metric_means",
    "Scores and metrics of each method",
    describe=describe_means,
    tables=make_tables,
    figures=draw_figures,
)
