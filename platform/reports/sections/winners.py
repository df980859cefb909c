"""Which metric would have picked the method that people did."""

from reports.correlating import winner_rows
from reports.measures import Measure
from reports.palette import method_label, metric_in_sentence
from reports.sections.metrics import rows_with_values
from reports.sections.section import Matter, Report, Row, Section, measured, units
from reports.tabulating import Column, Table, show
from reports.wording import within


def describe_winners(matter: Matter) -> list[Row]:
    return [] if matter.related is None or not matter.measure.ranked else winner_rows(matter.related)


def make_tables(report: Report) -> list[Table]:
    unit, interval = units(measured(report))
    columns = [
        Column("metric", "Metric", "metric"), Column("pick", "Its best method", "method"),
        Column("best", "People's best", "method"), Column("probability", "The same, in resamples", "share"),
        Column("swapped", "Swapped pairs", "count"), Column("swapped_ci", "95 %", "counts"),
        Column("pairs", "of", "count"), Column("loss", "Cost", unit),
        Column("loss_ci", "95 %", interval), Column("closest", "Closest, in resamples", "share"),
        Column("n", "Methods", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip
    return [Table("winners", "Whom each metric would have picked", columns, rows_with_values(report, "winners"))]


def say(report: Report) -> list[str]:
    rows = [row for row in report.get("winners", []) if row["status"] == "ok"]
    if not rows:
        return []
    best = method_label(rows[0]["best"])
    alike = {row["best"] for row in rows}
    if len(rows) == 1 or len(alike) > 1:
        nearest = max(rows, key=lambda row: row["closest"] or 0.0)
        return [_one(nearest, measured(report))]
    right = [metric_in_sentence(row["metric"]) for row in rows if row["same"]]
    if not right:
        return [f"None of the {len(rows)} metrics would have picked {best}, which people score highest."]
    if len(right) == len(rows):
        return [f"{'Both' if len(rows) == 2 else f'All {len(rows)}'} metrics would have picked {best}, as people do."]
    return [f"{len(right)} of {len(rows)} metrics would have picked {best}, as people do: {', '.join(right)}."]


def _one(row: Row, measure: Measure) -> str:
    name = metric_in_sentence(row["metric"])
    pick, best = method_label(row["pick"]), method_label(row["best"])
    if row["same"]:
        share = show("share", row["probability"])
        return f"{name[0].upper()}{name[1:]} would have picked {pick}, as people do (the same in {share} of resamples)."
    lost = show("points", -row["loss"]) if measure.is_share else f"{-row['loss']:.2f} points"
    interval = within(
        "shares" if measure.is_share else "hundredths", row["loss_ci"], " lost" if measure.is_share else ""
    )
    return f"{name[0].upper()}{name[1:]} would have picked {pick}, which people score {lost} against {best}{interval}."


def explain(report: Report) -> list[str]:
    return [_NOTE] if rows_with_values(report, "winners") else []


_NOTE = (
    "The cost of following a metric is people's score of their best method less that of the method the metric scores "
    "highest. Swapped pairs of methods are those that people and the metric put the other way round, of those that "
    "both put in order."
)

SECTION = Section(
    "winners",
    "Which metric would have picked the same winner",
    describe=describe_winners,
    tables=make_tables,
    findings=say,
    notes=explain,
)
