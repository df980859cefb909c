"""Which automatic metrics have a value, and why others have none."""

from typing import Any

from reports.palette import metric_in_sentence
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.tabulating import Column, Table


def describe_metrics(matter: Matter) -> list[Row]:
    """Of each metric, how many explanations have a value and why others have none. status: ok, no_value."""
    study = matter.study
    if study.metrics is None or matter.scores is None:
        return []
    counts = study.metrics.groupby("metric", sort=True)["value"].count()
    reasons: dict[str, dict[str, int]] = study.meta.get("undefined_metrics", {})
    return [
        {
            "metric": str(name),
            "n": int(n),
            "undefined": reasons.get(str(name), {}),
            "status": "ok" if n else "no_value",
        }
        for name, n in counts.items()
    ]


def make_tables(report: Report) -> list[Table]:
    """Only where some value is missing: what all explanations have is counted with the means."""
    columns = [
        Column("metric", "Metric", "metric"), Column("n", "Explanations with a value", "count"),
        Column("n_undefined", "Without", "count"), Column("why", "Why", "text"),
    ]  # fmt: skip
    rows = [
        row | {"n_undefined": sum(row["undefined"].values()) or None, "why": _why(row)}
        for row in report.get("metrics", [])
    ]
    missing = any(row["n_undefined"] or row["status"] != "ok" for row in rows)
    return [Table("metrics", "Explanations of which metrics have no value", columns, rows if missing else [])]


def _why(row: Row) -> str:
    why = "; ".join(f"{reason} ({n:,})" for reason, n in row["undefined"].items())
    return why or ("" if row["status"] == "ok" else "it was not computed")


def rows_with_values(report: Report, name: str) -> list[Row]:
    """Those of a section by metric; of a metric without a value of any explanation there is nothing else to tell."""
    unknown = {row["metric"] for row in report.get("metrics", []) if row["status"] != "ok"}
    return [row for row in report.get(name, []) if row["metric"] not in unknown]


def find_warnings(_matter: Matter, report: Report) -> list[Caution]:
    return [_without_values(row) for row in report.get("metrics", []) if row["status"] != "ok"]


def _without_values(row: dict[str, Any]) -> Caution:
    name, why = metric_in_sentence(row["metric"]), _why(row)
    return caution("metric_undefined", f"No explanation has a value of {name}, so it is compared with nothing: {why}.")


SECTION = Section(
    "metrics", "Metrics without values", describe=describe_metrics, tables=make_tables, warnings=find_warnings
)
