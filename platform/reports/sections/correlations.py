"""People's scores against automatic metrics: the question the platform exists for."""

from math import factorial

from analysis.correlation.coefficients import KENDALL, SPEARMAN
from analysis.correlation.reliability import METHODS, WITHIN
from reports.correlating import correlation_rows
from reports.correlation_charts import forest, panels_of
from reports.drawing import Figure, both_widths
from reports.palette import metric_in_sentence
from reports.sections.metrics import rows_with_values
from reports.sections.section import Caution, Matter, Report, Row, Section, caution, measured
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.wording import within

OVER = {METHODS: "methods", WITHIN: "explanations of one text", "explanations": "explanations"}
NAMES = {"kendall_tau_b": "Kendall's tau-b", "spearman": "Spearman's rho", "pearson": "Pearson's r"}
BETTER = {"higher": "higher", "lower": "lower", "nearer_zero": "nearer 0"}
SIGNIFICANT = 0.05
# Correlations that differ by less are level.
LEVEL = 1e-9


def describe_correlations(matter: Matter) -> list[Row]:
    return [] if matter.related is None else correlation_rows(matter.related)


def make_tables(report: Report) -> list[Table]:
    rows = [_flat(row) for row in rows_with_values(report, "correlations")]
    ranked = [row for row in rows if row["coefficient"] == KENDALL]
    others = [row for row in rows if row["coefficient"] != KENDALL]
    name = Column("coefficient_name", "Coefficient", "text")
    partial = [Column("partial", "Given text length and k", "score"), Column("partial_ci", "95 %", "scores")]
    if not any("partial" in row for row in others):
        partial = []
    return [
        Table("correlations", "People's scores against automatic metrics, Kendall's tau-b", _columns(), ranked),
        Table("correlations_more", "The same by Spearman's rho and Pearson's r", _columns(name, *partial), others),
    ]


def _columns(*more: Column) -> list[Column]:
    return [
        Column("metric", "Metric", "metric"), Column("better", "Better", "text"), Column("over", "Over", "text"), *more,
        Column("oriented", "Turned, higher is better", "score"), Column("oriented_ci", "95 %", "scores"),
        Column("value", "As it is", "score"), Column("ci", "95 %", "scores"),
        Column("p", "p", "p"), Column("p_adjusted", "p, Holm", "p"), Column("p_adjusted_bh", "p, BH", "p"),
        Column("p_labels", "p, methods renamed", "p"), Column("corrected", "Without people's noise", "score"),
        Column("corrected_ci", "95 %", "scores"), Column("n", "n", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip


def _flat(row: Row) -> Row:
    flat = {**row, "better": BETTER[row["better"]], "coefficient_name": NAMES[row["coefficient"]]}
    for part in ("corrected", "partial"):
        if part in row:
            flat |= {part: row[part]["value"], f"{part}_ci": row[part]["ci"]}
    return flat | {"status": reason_over(row["status"], row["over"])}


def draw_figures(report: Report) -> list[Figure]:
    if not panels_of(report):
        return []
    title = "How near each metric comes to people"
    return [both_widths("correlations", title, lambda width: forest(report, width), "correlations")]


def say(report: Report) -> list[str]:
    if not report.get("correlations") or not measured(report).ranked:
        return []
    return [_of_methods(report), *_of_texts(report)]


def _of_methods(report: Report) -> str:
    found = _defined(report, METHODS, KENDALL)
    rows = [row for row in report["correlations"] if row["over"] == METHODS and row["coefficient"] == KENDALL]
    if not found:
        why = reason_over(rows[0]["status"], METHODS)
        return f"Metrics cannot be set against people's order of the methods: {why}."
    best = found[0]
    return (
        f"{_closest(found, len(rows))} to people's order of the methods: Kendall's tau-b {best['oriented']:.2f}"
        f"{within('hundredths', best['oriented_ci'])} over {best['n']} methods{_ceiling(report, METHODS, KENDALL)}"
        f"{_told_from_chance(best, len(rows))}."
    )


def _of_texts(report: Report) -> list[str]:
    found = _defined(report, WITHIN, SPEARMAN)
    if not found:
        return []
    best = found[0]
    value = f"Spearman's rho {best['oriented']:.2f}{within('hundredths', best['oriented_ci'])}"
    inside = f"to people among the explanations of one text: {value}, the mean over {best['n']:,} texts"
    return [f"{_closest(found, len(found))} {inside}{_ceiling(report, WITHIN, SPEARMAN)}."]


def _closest(found: list[Row], n_metrics: int) -> str:
    """Which metrics are, of how many; level ones together."""
    first = [metric_in_sentence(row["metric"]) for row in found if row["oriented"] >= found[0]["oriented"] - LEVEL]
    if n_metrics == 1:
        return f"{first[0][0].upper()}{first[0][1:]} comes"
    if len(first) == 1:
        return f"Of {n_metrics} metrics {first[0]} comes closest"
    return f"Of {n_metrics} metrics {', '.join(first[:-1])} and {first[-1]} come closest"


def _told_from_chance(best: Row, n_metrics: int) -> str:
    """Whether it is; of so few methods that none could be, that."""
    p = f"p = {show('p', best['p_adjusted'])}" + (f", corrected for {n_metrics} metrics" if n_metrics > 1 else "")
    if best["p_adjusted"] <= SIGNIFICANT:
        return f"; it is told from chance ({p})"
    if 2 * n_metrics / factorial(best["n"]) > SIGNIFICANT:
        return "; so few methods tell no order from chance"
    return f"; it is not told from chance ({p})"


def _ceiling(report: Report, over: str, coefficient: str) -> str:
    for row in report.get("reliability", []):
        if (row["over"], row["coefficient"]) == (over, coefficient) and row["ceiling"] is not None:
            interval = "" if row["ceiling_ci"] is None else f" ({show('hundredths', row['ceiling_ci'])})"
            return f"; people's own noise puts the ceiling at {row['ceiling']:.2f}{interval}"
    return ""


def _defined(report: Report, over: str, coefficient: str) -> list[Row]:
    """Those that have a value, the highest first."""
    wanted = (over, coefficient, "ok")
    rows = [row for row in report["correlations"] if (row["over"], row["coefficient"], row["status"]) == wanted]
    return sorted(rows, key=lambda row: (-row["oriented"], row["metric"]))


def reason_over(status: str, over: str) -> str:
    """The reason in words; too few pairs are too few methods where it is these that are paired."""
    return status if status == "ok" else reason("too_few_methods" if (status, over) == ("too_few", METHODS) else status)


def find_warnings(_matter: Matter, report: Report) -> list[Caution]:
    """One for each reason and level, with all the metrics it holds for."""
    undefined: dict[tuple[str, str], list[str]] = {}
    for row in report.get("correlations", []):
        if row["status"] not in ("ok", "metric_without_values") and row["coefficient"] == KENDALL:
            undefined.setdefault((row["over"], row["status"]), []).append(metric_in_sentence(row["metric"]))
    return [
        caution(
            "correlation_undefined",
            f"The correlation with {', '.join(names)} over {OVER[over]} is undefined: {reason_over(status, over)}.",
        )
        for (over, status), names in undefined.items()
    ]


def explain(report: Report) -> list[str]:
    return [_VALUES, _INTERVALS, _CHANCE] if rows_with_values(report, "correlations") else []


_VALUES = (
    "People are set against each metric by Kendall's tau-b, Spearman's rho and Pearson's r: over methods, over all "
    "explanations, and over the explanations of one text, averaged over texts. Metrics of which less is better are "
    "turned, so that 1 is perfect agreement with people; the value of the metric as it is stands beside it."
)
_INTERVALS = (
    "Their intervals hold over other texts and, where votes are known, other workers; the methods stay as they are. "
    "Values without people's noise are divided by the root of the reliability, and are missing where that is too low."
)
_CHANCE = (
    "p is by permutation: over methods of their names; over explanations of the scores within each text, texts being "
    "the sample. Where methods are the sample, read the p with methods renamed in all texts alike. Holm's and "
    "Benjamini and Hochberg's corrections are for the number of metrics."
)

SECTION = Section(
    "correlations",
    "People against metrics",
    describe=describe_correlations,
    tables=make_tables,
    figures=draw_figures,
    findings=say,
    notes=explain,
    warnings=find_warnings,
)
