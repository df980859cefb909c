"""The methods under each display of their maps."""

from reports.measuring import mean_by_method
from reports.sections.section import Matter, Report, Row, Section, measured, units
from reports.tabulating import Column, Table


def describe_displays(matter: Matter) -> list[Row]:
    """Each method's score under each display, where the study has several; best first within a display."""
    judgments, scores = matter.study.judgments, matter.scores
    if scores is None or judgments is None or judgments.loc[judgments["display"] != "", "display"].nunique() < 2:
        return []
    rows = []
    for display, own in judgments[judgments["display"] != ""].groupby("display", sort=True):
        found = mean_by_method(own[own["score"].notna()], "score", scores, matter.settings)
        told = [
            {"display": str(display), "method": method, **found[column]}
            for column, method in enumerate(scores.methods)
            if found[column]["value"] is not None
        ]
        rows += sorted(told, key=lambda row: (-row["value"] if matter.measure.ranked else 0, row["method"]))
    return rows


def make_tables(report: Report) -> list[Table]:
    measure = measured(report)
    unit, interval = units(measure)
    columns = [
        Column("display", "Display", "display"), Column("method", "Method", "method"),
        Column("value", measure.label, unit), Column("ci", "95 %", interval), Column("n", "Texts", "count"),
    ]  # fmt: skip
    return [Table("by_display", "Methods under each display", columns, report.get("by_display", []))]


def explain(report: Report) -> list[str]:
    return [_NOTE] if "by_display" in report else []


_NOTE = (
    "Under each display, scores are means over the texts judged in it. A difference between displays says how a map is "
    "read, not how good it is."
)

SECTION = Section("by_display", "Displays", describe=describe_displays, tables=make_tables, notes=explain)
