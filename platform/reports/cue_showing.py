"""The sections of a report of cues and attractors; the figures print in grey."""

from reports.cue_wording import TARGET_CLASSES, explain_alikeness, explain_passing, say_alike, say_passing
from reports.drawing import NARROW, SHARE_AXIS, TIP, Figure, Report, Spec, both_widths, title_of
from reports.sections.section import Section
from reports.tabulating import Column, Table

LABELS, NOTES = 66, 72  # beside a panel with one row a value
TINT, GREY = "#2f78c4", "#7d838c"
CASE_OF = {"verum": "expected", "malum": "other"}
CASES = {"expected": "expected class", "alternative": "other class"}


def _pass_rates(report: Report) -> Table:
    columns = [
        Column("model", "Model", "text"), Column("case", "Prefixes", "text"), Column("passed", "Passed", "count"),
        Column("n", "Of", "count"), Column("rate", "Rate", "share"), Column("ci", "95 % Wilson", "shares"),
        Column("chance", "By chance", "share"), Column("undefined", "Left out", "count"),
    ]  # fmt: skip
    rows = []
    for row in report["plausibility"]:
        rows.append(row | {"case": "all"})
        for case, said in CASES.items():
            passed, n = row[case]
            rates = {"rate": row[f"{case}_rate"], "ci": row[f"{case}_ci"]}
            rows.append({"model": row["model"], "case": f"model prefers the {said}", "passed": passed, "n": n, **rates})
    return Table("pass_rates", "Cues against attractors", columns, rows)


def _consistency(report: Report) -> Table:
    columns = [
        Column("kind", "Consistency", "text"), Column("of", "Of", "text"), Column("target", "Saliency for", "text"),
        Column("pearson", "Mean Pearson r", "score"), Column("ci", "95 %", "scores"), Column("n", "Pairs", "count"),
        Column("skipped", "Unequal lengths", "count"), Column("undefined", "Undefined", "count"),
        Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [
        row | {"of": _names(row), "target": f"{TARGET_CLASSES[row['target']]} ({row['target']})"}
        for row in report.get("consistency", [])
    ]
    return Table("consistency", "How alike maps are that should be alike", columns, rows)


def _failed_lines(report: Report) -> Table:
    columns = [
        Column("model", "Model", "text"), Column("line", "Line, from 0", "count"), Column("case", "Case", "text"),
        Column("cue", "Cue's saliency", "score"), Column("attractor", "Attractor's saliency", "score"),
        Column("prefix", "Prefix", "text"),
    ]  # fmt: skip
    return Table("failed_lines", "Prefixes that do not pass", columns, report.get("failed_lines", []))


def _figure_of_rates(report: Report) -> list[Figure]:
    if not any(row[case][1] for row in report["plausibility"] for case in CASES):
        return []
    title = "Pass rate of each model, with intervals"
    return [both_widths("pass_rates", title, lambda width: _draw_rates(report, width), "pass_rates")]


def _figure_of_alikeness(report: Report) -> list[Figure]:
    if not any(row["pearson"] is not None for row in report.get("consistency", [])):
        return []
    title = "How alike maps are, with intervals"
    return [both_widths("consistency", title, lambda width: _draw_consistency(report, width), "consistency")]


def _draw_rates(report: Report, width: int) -> Spec:
    panels: dict[str, list[Spec]] = {}
    for row in report["plausibility"]:
        for case, said in (("expected", "expected"), ("alternative", "other")):
            passed, n = row[case]
            if n:
                note, rate, ci = f"{passed:,} / {n:,}", row[f"{case}_rate"], row[f"{case}_ci"]
                chance = row["chance"]
                panels.setdefault(row["model"], []).append(_mark(said, rate, ci, note) | {"chance": chance})
    title = title_of(
        "Prefixes on which saliency points at the word that decides",
        "Share that passes, by the class that the model prefers; bars are 95 % Wilson intervals",
        "Grey dashes: random scores",
        narrow=width == NARROW,
    )
    return _forest(title, panels, width, domain=[0, 1], axis=SHARE_AXIS)


def _draw_consistency(report: Report, width: int) -> Spec:
    panels: dict[str, list[Spec]] = {}
    for row in report.get("consistency", []):
        if row["pearson"] is not None:
            mark = _mark(CASE_OF[row["target"]], row["pearson"], row["ci"], f"{row['pearson']:.3f}")
            panels.setdefault(f"{row['kind'].capitalize()} consistency: {_names(row)}", []).append(mark)
    title = title_of(
        "How alike maps are: two models on one prefix, one model on prefixes of one template",
        "Mean of Pearson's r, by the class explained; bars are 95 % bootstrap intervals over lines or templates",
        narrow=width == NARROW,
    )
    lowest = min((mark["low"] for marks in panels.values() for mark in marks), default=0.0)
    return _forest(title, panels, width, domain=[-1 if lowest < 0 else 0, 1], axis={"tickCount": 5})


def _mark(label: str, value: float, ci: list[float] | None, note: str) -> Spec:
    low, high = ci or (value, value)
    tip = f"{label} class: {note}, 95 % interval {low:.3f} to {high:.3f}"
    return {"label": label, "x": value, "low": low, "high": high, "note": note, "tip": tip}


def _forest(title: Spec, panels: dict[str, list[Spec]], width: int, *, domain: list[int], axis: Spec) -> Spec:
    """One panel a name, one point with its interval a mark; where a panel knows of chance, it runs down dashed."""
    return {
        "title": title,
        "concat": [_panel(name, marks, width, domain, axis) for name, marks in panels.items()],
        "columns": 1,
        "spacing": 52,
        "bounds": "flush",
    }


def _panel(name: str, marks: list[Spec], width: int, domain: list[int], axis: Spec) -> Spec:
    inner = width - LABELS - NOTES
    x: Spec = {"field": "x", "type": "quantitative", "title": None, "scale": {"domain": domain}, "axis": axis}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    layers = [
        {"mark": {"type": "rule", "strokeWidth": 2, "color": TINT},
         "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}}},
        {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": TINT},
         "encoding": {"y": y, "x": x, **TIP}},
        {"mark": {"type": "text", "align": "left", "dx": 8},
         "encoding": {"y": y, "x": {"value": inner}, "text": {"field": "note"}}},
    ]  # fmt: skip
    if marks[0].get("chance") is not None:
        dashes = {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "color": GREY}
        layers.insert(0, {"data": {"values": marks[:1]}, "mark": dashes, "encoding": {"x": x | {"field": "chance"}}})
    return {
        "title": {"text": name, "fontSize": 12, "offset": 6, "frame": "group", "anchor": "start"},
        "width": inner,
        "height": {"step": 26},
        "data": {"values": marks},
        "layer": layers,
    }


def _names(row: Report) -> str:
    return " and ".join(row["models"])


CUE_SECTIONS = (
    Section(
        "plausibility",
        "Cues against attractors",
        tables=lambda report: [_pass_rates(report)],
        figures=_figure_of_rates,
        findings=say_passing,
        notes=explain_passing,
    ),
    Section(
        "consistency",
        "How alike maps are",
        tables=lambda report: [_consistency(report)],
        figures=_figure_of_alikeness,
        findings=say_alike,
        notes=explain_alikeness,
    ),
    Section("failed_lines", "Prefixes that do not pass", tables=lambda report: [_failed_lines(report)]),
)
