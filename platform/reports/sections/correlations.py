"""People's scores against automatic metrics: the question the platform exists for."""

from analysis.correlation.kendall import Correlation
from reports.measuring import correlate
from reports.palette import metric_in_sentence
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.statuses import reason
from reports.tabulating import Column, Table
from reports.wording import within


def describe_correlations(matter: Matter) -> list[Row]:
    if matter.scores is None:
        return []
    found = correlate(matter.study, matter.scores, matter.resampled, matter.settings)
    return [_row(metric, over, correlation) for metric, over, correlation in found]


def _row(metric: str, over: str, found: Correlation) -> Row:
    return {
        "metric": metric,
        "over": over,
        "coefficient": "kendall_tau_b",
        "value": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "p": found.p,
        "n": found.n,
        "status": found.status,
    }


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("metric", "Metric", "metric"), Column("over", "Over", "text"),
        Column("value", "Kendall's tau-b", "score"),
        Column("ci", "95 %", "scores"), Column("p", "p", "p"), Column("n", "n", "count"),
        Column("status", "Status", "status"),
    ]  # fmt: skip
    title = "People's scores against automatic metrics"
    return [Table("correlations", title, columns, report.get("correlations", []))]


def say(report: Report) -> list[str]:
    return [_over_methods(row) for row in report.get("correlations", []) if row["over"] == "methods"]


def _over_methods(row: Row) -> str:
    name = metric_in_sentence(row["metric"])
    if row["status"] != "ok":
        return f"Kendall's tau-b with {name} over methods is undefined: {reason(row['status'])}."
    interval = within("hundredths", row["ci"])
    return f"Kendall's tau-b between people and {name} is {row['value']:.2f}{interval} over {row['n']} methods."


def find_warnings(_matter: Matter, report: Report) -> list[Caution]:
    found = []
    for row in report.get("correlations", []):
        if row["status"] not in ("ok", "metric_without_values"):
            of = f"The correlation with {metric_in_sentence(row['metric'])} over {row['over']}"
            found.append(caution("correlation_undefined", f"{of} is undefined: {reason(row['status'])}."))
    return found


def explain(report: Report) -> list[str]:
    return [_NOTE] if report.get("correlations") else []


_NOTE = (
    "Kendall's tau-b; intervals resample texts with all their explanations. The p value over explanations takes them "
    "as independent, so read the interval first. For sufficiency a lower value is better, so agreement with people "
    "shows as a negative tau."
)

SECTION = Section(
    "correlations",
    "People against metrics",
    describe=describe_correlations,
    tables=make_tables,
    findings=say,
    notes=explain,
    warnings=find_warnings,
)
