"""The methods under each display of their maps."""

import pandas as pd

from reports.measuring import mean_by_method, summarise_columns
from reports.sections.section import Matter, Report, Row, Section, measured, number, pair, units
from reports.tabulating import Column, Table


def describe_displays(matter: Matter) -> list[Row]:
    """Each method's score under each display, where the study has several; best first within a display."""
    judgments, scores = matter.study.judgments, matter.scores
    if judgments is None or judgments.loc[judgments["display"] != "", "display"].nunique() < 2:
        return []
    if scores is None:
        return _of_no_method(matter, judgments) if not matter.study.methods else []
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


def _of_no_method(matter: Matter, judgments: pd.DataFrame) -> list[Row]:
    """Where no method is named, as in ratings of words: the mean over texts of the text's mean under each display."""
    scored = judgments[judgments["score"].notna() & (judgments["display"] != "")]
    means = scored.groupby(["text", "display"], sort=True)["score"].mean().unstack()
    values, intervals = summarise_columns(means.to_numpy(dtype=float), matter.settings)
    return [
        {
            "display": str(display),
            "value": number(values[column]),
            "ci": pair(intervals[:, column]),
            "n": int(means.iloc[:, column].count()),
            "over": "texts",
        }
        for column, display in enumerate(means.columns)
    ]


def make_tables(report: Report) -> list[Table]:
    measure, rows = measured(report), report.get("by_display", [])
    unit, interval = units(measure)
    of_methods = any("method" in row for row in rows)
    columns = [Column("display", "Display", "display")]
    columns += [Column("method", "Method", "method")] if of_methods else []
    columns += [Column("value", measure.label, unit), Column("ci", "95 %", interval), Column("n", "Texts", "count")]
    return [Table("by_display", "Methods under each display" if of_methods else "Each display", columns, rows)]


def explain(report: Report) -> list[str]:
    rows = report.get("by_display", [])
    over = [_OVER_TEXTS] if any(row.get("over") == "texts" for row in rows) else []
    return [_NOTE, *over] if rows else []


_NOTE = (
    "Under each display, scores are means over the texts judged in it. A difference between displays says how a map is "
    "read, not how good it is."
)

_OVER_TEXTS = "Their intervals resample texts."

SECTION = Section("by_display", "Displays", describe=describe_displays, tables=make_tables, notes=explain)
