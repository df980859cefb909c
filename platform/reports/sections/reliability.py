"""The noise ceiling: how well people agree with people, which no metric can be expected to surpass."""

from analysis.correlation.reliability import METHODS
from reports.correlating import reliability_rows
from reports.sections.correlations import NAMES
from reports.sections.section import Matter, Report, Row, Section
from reports.statuses import reason
from reports.tabulating import Column, Table


def describe_reliability(matter: Matter) -> list[Row]:
    return [] if matter.related is None else reliability_rows(matter.related)


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("over", "Over", "text"), Column("name", "Coefficient", "text"), Column("split", "Halves of", "text"),
        Column("halves", "Correlation of halves, as r", "score"), Column("value", "Reliability", "score"),
        Column("ci", "95 %", "scores"), Column("ceiling", "Noise ceiling", "score"),
        Column("ceiling_ci", "95 %", "scores"), Column("n_splits", "Splits", "count"),
        Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [row | {"name": NAMES[row["coefficient"]]} for row in report.get("reliability", [])]
    return [Table("reliability", "How reliable people's scores are", columns, rows)]


def explain(report: Report) -> list[str]:
    rows = report.get("reliability", [])
    if not rows:
        return []
    if rows[0]["status"] == "only_majority_verdicts":
        return [f"There is no noise ceiling: {reason('only_majority_verdicts')}."]
    splits = next(row["n_splits"] for row in rows if row["over"] == METHODS)
    return [
        f"The noise ceiling is the root of the reliability, which the correlation of random halves gives ({splits} "
        "splits of the workers, or of the judgments of each stimulus; Spearman-Brown). For tau-b and rho it goes by "
        "way of the r of normal variables, which ties make approximate. Its interval resamples texts."
    ]


SECTION = Section("reliability", "Noise ceiling", describe=describe_reliability, tables=make_tables, notes=explain)
