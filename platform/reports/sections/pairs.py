"""Each pair of methods that was shown side by side."""

from analysis.study import PAIRWISE
from reports.measuring import summarise_columns
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table


def describe_pairs(matter: Matter) -> list[Row]:
    """Of each pair how often its first method won, a tie being half; mean over texts, interval over texts."""
    answers = matter.study.answers
    if matter.study.protocol != PAIRWISE or answers is None or matter.scores is None:
        return []
    rows = []
    for (method, other), own in answers.groupby(["method", "other"], sort=True):
        by_text = own.groupby("text", sort=True)["score"].mean().to_numpy(dtype=float)[:, None]
        [value], intervals = summarise_columns(by_text, matter.settings)
        ties = float((own["score"] == 0.5).mean())
        row: Row = {"method": str(method), "other": str(other), "value": float(value)}
        rows.append(row | {"ci": [float(bound) for bound in intervals[:, 0]], "ties": ties, "n": len(own)})
    return rows


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "First", "method"), Column("other", "Second", "method"),
        Column("value", "First won", "share"), Column("ci", "95 %", "shares"), Column("ties", "Ties", "share"),
        Column("n", "Judgments", "count"),
    ]  # fmt: skip
    return [Table("pairs", "Each pair", columns, report.get("pairs", []))]


SECTION = Section("pairs", "Pairs of methods", describe=describe_pairs, tables=make_tables)
