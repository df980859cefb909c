"""The report as tables: one definition for the page, CSV (full precision) and LaTeX (rounded)."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.presets.peekaword import escape_cell
from materials.typesetting import latex_escape
from reports.excluding import flow_rows
from reports.measures import MEASURES
from reports.palette import display_label, method_label, metric_label
from reports.statuses import reason

Report = dict[str, Any]
Row = dict[str, Any]
MISSING = "\N{EN DASH}"
# On a page and in LaTeX; CSV has all.
MOST_SHOWN = 1000


@dataclass(frozen=True)
class Column:
    """`kind` says how a value is shown: a key of SHOWN. Text, methods and metrics stand on the left."""

    name: str
    label: str
    kind: str

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "method", "metric", "status", "display")

    @property
    def is_interval(self) -> bool:
        return self.kind in ("counts", "shares", "scores", "hundredths")


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    columns: list[Column]
    rows: list[Row]

    @property
    def is_cut(self) -> bool:
        return len(self.rows) > MOST_SHOWN

    def shown(self) -> list[list[tuple[Column, str]]]:
        """Every cell with its column, as a reader sees it; of very many rows the first."""
        return [[(c, show(c.kind, row.get(c.name))) for c in self.columns] for row in self.rows[:MOST_SHOWN]]


def make_tables(report: Report) -> list[Table]:
    """The tables that the report has data for."""
    tables = [
        _methods(report), _accuracy_matrix(report), _accuracy(report), _baselines(report),
        _against_random(report), _against_none(report), _flips(report), _agreement(report),
        _pairs(report), _by_display(report), _marking(report), _correlations(report), _metrics(report),
        _metric_means(report), _workers(report), _exclusions(report), _participants(report),
    ]  # fmt: skip
    return [table for table in tables if table.rows]


def _exclusions(report: Report) -> Table:
    columns = [
        Column("method", "Method", "method"), Column("without", "Without the excluded", "score"),
        Column("with", "With them", "score"), Column("n_without", "Judgments without", "count"),
        Column("n_with", "Judgments with", "count"),
    ]  # fmt: skip
    told = report.get("exclusions", {})
    title = "Scores without and with the workers whom the rules exclude"
    return Table("exclusions", title, columns, told.get("methods", []))


def _participants(report: Report) -> Table:
    columns = [Column("step", "What became of those who came", "text"), Column("n", "Workers", "count")]
    rows = flow_rows(report["participants"]) if "participants" in report else []
    return Table("participants", "Flow of participants", columns, rows)


def show(kind: str, value: Any) -> str:
    if value is None or value == "":
        return MISSING
    return SHOWN[kind](value)


def as_csv(table: Table) -> str:
    """Intervals as two columns, numbers as numbers, text safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [name for c in table.columns for name in ([f"{c.name}_low", f"{c.name}_high"] if c.is_interval else [c.name])]
    )
    for row in table.rows:
        writer.writerow([cell for c in table.columns for cell in _csv_cells(c, row.get(c.name))])
    return out.getvalue()


def as_latex(table: Table) -> str:
    """A booktabs table, to be used with \\usepackage{booktabs}."""
    align = "".join("l" if c.is_text else "r" for c in table.columns)
    lines = [" & ".join(_latex(text) for _, text in row) + r" \\" for row in table.shown()]
    return "\n".join(
        [
            r"\begin{table}", r"  \centering",
            f"  \\caption{{{_latex(table.title)}}}", f"  \\label{{tab:{table.name}}}",
            f"  \\begin{{tabular}}{{{align}}}", r"    \toprule",
            "    " + " & ".join(_latex(c.label) for c in table.columns) + r" \\", r"    \midrule",
            *(f"    {line}" for line in lines),
            r"    \bottomrule", r"  \end{tabular}", r"\end{table}", "",
        ]
    )  # fmt: skip


def _methods(report: Report) -> Table:
    measure = MEASURES[report["meta"]["protocol"]]
    columns = [
        Column("method", "Method", "method"),
        Column("rank", "Rank", "count"),
        Column("rank_ci", "95 %", "counts"),
    ]
    if not any("by_k" in row for row in report["methods"]):
        kinds = ("share", "shares") if measure.is_share else ("score", "scores")
        columns += [Column(measure.name, measure.label, kinds[0]), Column(f"{measure.name}_ci", "95 %", kinds[1])]
        columns += _revealing() if any("words_needed" in row for row in report["methods"]) else []
    else:
        columns += [
            Column("one_minus_mean", "Weighted, w ~ 1 - mean", "weighted"),
            Column("one_minus_mean_ci", "95 %", "shares"),
            Column("inverse_mean", "Weighted, w ~ 1/mean", "weighted"),
            Column("mean_accuracy", "Mean (uniform)", "share"),
            Column("mean_accuracy_ci", "95 %", "shares"),
            Column("flip_rate", "Texts with a flip", "share"),
        ]
    columns += [Column("n_stimuli", "Stimuli", "count"), Column("n_judgments", "Judgments", "count")]
    rows = [_method_row(row, measure.name) for row in report["methods"]]
    return Table("methods", "Methods, best first", columns, rows)


def _method_row(row: Row, measure: str) -> Row:
    flat = dict(row)
    if "by_k" not in row:
        means = [name for name in (measure, "share_right", "words_needed") if name in row]
        flat |= {f"{name}_ci": row[name]["ci"] for name in means}
        return flat | {name: row[name]["value"] for name in means}
    flat |= row["weighted_accuracy"]
    return flat | {"one_minus_mean_ci": row["weighted_accuracy_ci"]["one_minus_mean"]}


def _revealing() -> list[Column]:
    return [
        Column("share_right", "Right", "share"), Column("share_right_ci", "95 %", "shares"),
        Column("words_needed", "Words needed, where right", "tenths"), Column("words_needed_ci", "95 %", "hundredths"),
    ]  # fmt: skip


def _pairs(report: Report) -> Table:
    columns = [
        Column("method", "First", "method"), Column("other", "Second", "method"),
        Column("value", "First won", "share"), Column("ci", "95 %", "shares"), Column("ties", "Ties", "share"),
        Column("n", "Judgments", "count"),
    ]  # fmt: skip
    return Table("pairs", "Each pair", columns, report.get("pairs", []))


def _by_display(report: Report) -> Table:
    measure = MEASURES[report["meta"]["protocol"]]
    unit = ("share", "shares") if measure.is_share else ("score", "scores")
    columns = [
        Column("display", "Display", "display"), Column("method", "Method", "method"),
        Column("value", measure.label, unit[0]), Column("ci", "95 %", unit[1]), Column("n", "Texts", "count"),
    ]  # fmt: skip
    return Table("by_display", "Methods under each display", columns, report.get("by_display", []))


def _marking(report: Report) -> Table:
    columns = [
        Column("n_texts", "Texts", "count"), Column("mean_words", "Words marked, mean", "tenths"),
        Column("mean_share", "Of all words", "share"), Column("nothing", "Answers that marked nothing", "share"),
    ]  # fmt: skip
    found = report.get("marking")
    return Table("marking", "What workers marked", columns, [found] if found else [])


def _accuracy_matrix(report: Report) -> Table:
    ks = sorted({int(k) for row in report["methods"] for k in row.get("by_k", {})})
    rows = [
        {"method": row["method"], **{f"k_{k}": cell["accuracy"] for k, cell in row["by_k"].items()}}
        for row in report["methods"]
        if "by_k" in row
    ]
    columns = [Column("method", "Method", "method"), *(Column(f"k_{k}", f"k = {k}", "share") for k in ks)]
    return Table("accuracy", "Accuracy by number of shown words", columns, rows)


def _accuracy(report: Report) -> Table:
    columns = [
        Column("method", "Method", "method"), Column("k", "Words shown", "count"),
        Column("accuracy", "Accuracy", "share"), Column("ci", "95 % Wilson", "shares"), Column("n", "Texts", "count"),
    ]  # fmt: skip
    rows = [
        {"method": row["method"], "k": int(k), **cell}
        for row in report["methods"]
        for k, cell in row.get("by_k", {}).items()
    ]
    return Table("accuracy_by_k", "Accuracy by number of shown words, with intervals", columns, rows)


def _against_random(report: Report) -> Table:
    return _against(report, "vs_random", "Random")


def _against_none(report: Report) -> Table:
    return _against(report, "vs_no_explanation", "no explanation")


def _against(report: Report, key: str, reference: str) -> Table:
    """Differences of all methods from one arm."""
    rows = [{"method": row["method"], **row[key]} for row in report["methods"] if key in row]
    in_shares = MEASURES[report["meta"]["protocol"]].is_share
    columns = [
        Column("method", "Method", "method"),
        Column("difference", "Difference", "points" if in_shares else "score"),
        Column("ci", "95 %", "shares" if in_shares else "scores"),
    ]
    if rows and "method_only" in rows[0]:
        columns += [
            Column("method_only", "Only method right", "count"),
            Column("random_only", "Only Random right", "count"),
            Column("p", "p, McNemar", "p"),
            Column("p_adjusted", "p, McNemar, Holm", "p"),
            Column("p_clustered", "p, by text", "p"),
            Column("p_clustered_adjusted", "p, by text, Holm", "p"),
        ]
    else:
        columns += [Column("p", "p, by text", "p"), Column("p_adjusted", "p, by text, Holm", "p")]
    name = "against_" + key.removeprefix("vs_")
    return Table(name, f"Difference from {reference}", columns, rows)


def _baselines(report: Report) -> Table:
    columns = [
        Column("method", "Baseline", "method"), Column("accuracy", "Recognised", "share"),
        Column("ci", "95 %", "shares"), Column("n", "Texts", "count"),
    ]  # fmt: skip
    return Table("baselines", "What people recognise without a method", columns, report.get("baselines", []))


def _flips(report: Report) -> Table:
    columns = [
        Column("of", "Of", "text"), Column("flipped", "Flipped", "count"), Column("total", "All", "count"),
        Column("share", "Share", "share"), Column("from_noise", "Expected from vote noise", "tenths"),
    ]  # fmt: skip
    flips = report.get("flips")
    if flips is None:
        return Table("flips", "Flips", columns, [])
    counts = (
        ("steps to the next k", "flipped_steps", "steps", flips.get("flipped_steps_from_noise")),
        ("sequences of all ks", "flipped_sequences", "sequences", None),
    )
    rows = [
        {"of": of, "flipped": flips[part], "total": flips[whole], "from_noise": noise,
         "share": flips[part] / flips[whole] if flips[whole] else None}
        for of, part, whole, noise in counts
    ]  # fmt: skip
    return Table("flips", "Flips: recognised with fewer words, not with more", columns, rows)


def _agreement(report: Report) -> Table:
    units = "Words" if any(row.get("units") == "words" for row in report.get("agreement", [])) else "Stimuli"
    columns = [
        Column("name", "Coefficient", "text"), Column("level", "Level", "text"), Column("value", "Value", "score"),
        Column("ci", "95 %", "scores"), Column("n_units", units, "count"), Column("n_raters", "Workers", "count"),
        Column("n_pairable", "Pairable judgments", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip
    names = {"krippendorff_alpha": "Krippendorff's alpha", "percent_agreement": "Per cent agreement (0 to 1)"}
    rows = [row | {"name": names[row["coefficient"]]} for row in report.get("agreement", [])]
    return Table("agreement", "Agreement between workers", columns, rows)


def _correlations(report: Report) -> Table:
    columns = [
        Column("metric", "Metric", "metric"), Column("over", "Over", "text"),
        Column("value", "Kendall's tau-b", "score"),
        Column("ci", "95 %", "scores"), Column("p", "p", "p"), Column("n", "n", "count"),
        Column("status", "Status", "status"),
    ]  # fmt: skip
    return Table("correlations", "People's scores against automatic metrics", columns, report.get("correlations", []))


def _metrics(report: Report) -> Table:
    """Only where some value is missing: what all explanations have is counted with the means."""
    columns = [
        Column("metric", "Metric", "metric"), Column("n", "Explanations with a value", "count"),
        Column("n_undefined", "Without", "count"), Column("why", "Why", "text"),
    ]  # fmt: skip
    rows = [
        row | {"n_undefined": sum(row["undefined"].values()), "why": _why(row["undefined"])}
        for row in report.get("metrics", [])
    ]
    missing = any(row["n_undefined"] or row["status"] != "ok" for row in rows)
    return Table("metrics", "Explanations of which metrics have no value", columns, rows if missing else [])


def _why(undefined: dict[str, int]) -> str:
    return "; ".join(f"{reason} ({n:,})" for reason, n in undefined.items())


def _metric_means(report: Report) -> Table:
    unit = ("share", "shares") if MEASURES[report["meta"]["protocol"]].is_share else ("score", "scores")
    columns = [
        Column("metric", "Metric", "metric"), Column("method", "Method", "method"),
        Column("value", "Metric's mean", "score"), Column("value_ci", "95 %", "scores"),
        Column("human", "People's mean", unit[0]), Column("human_ci", "95 %", unit[1]), Column("n", "Texts", "count"),
    ]  # fmt: skip
    return Table("metric_means", "Means of people's scores and metrics", columns, report.get("metric_means", []))


def _workers(report: Report) -> Table:
    columns = [
        Column("worker", "Worker", "text"), Column("n_judgments", "Judgments", "count"),
        Column("mean_score", "Mean score", "score"), Column("seconds", "Median seconds", "tenths"),
        Column("late", "Late", "count"),
    ]  # fmt: skip
    rows = []
    for row in report.get("workers", []):
        median = row["median_response_ms"]
        rows.append(row | {"seconds": None if median is None else median / 1000})
    return Table("workers", "Workers, by pseudonym", columns, rows)


def _p_value(p: float) -> str:
    if p >= 0.001:
        return f"{p:.3f}"
    mantissa, exponent = f"{p:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


SHOWN: dict[str, Callable[[Any], str]] = {
    "text": lambda value: str(value).replace("_", " "),
    "method": method_label,
    "metric": metric_label,
    "display": display_label,
    "status": reason,
    "count": lambda value: f"{value:,}",
    "share": lambda value: f"{value * 100:.1f} %",
    "weighted": lambda value: f"{value * 100:.2f} %",
    "points": lambda value: f"{value * 100:+.1f} points",
    "score": lambda value: f"{value:.3f}",
    "tenths": lambda value: f"{value:,.1f}",
    "p": _p_value,
    "counts": lambda pair: f"{pair[0]} to {pair[1]}",
    "shares": lambda pair: f"{pair[0] * 100:.1f} to {pair[1] * 100:.1f}",
    "scores": lambda pair: f"{pair[0]:.3f} to {pair[1]:.3f}",
    "hundredths": lambda pair: f"{pair[0]:.2f} to {pair[1]:.2f}",
}


def _latex(text: str) -> str:
    return "--" if text == MISSING else latex_escape(text)


def _csv_cells(column: Column, value: Any) -> list[Any]:
    if column.is_interval:
        return ["", ""] if value is None else list(value)
    if value is None:
        return [""]
    return [escape_cell(str(value))] if column.is_text else [value]
