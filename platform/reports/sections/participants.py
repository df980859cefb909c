"""Those who took part: how many came, and what became of them."""

from analysis.quality.rules import RULES
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table

# What became of those who arrived, in the order of telling.
STEPS = {
    "arrived": "Arrived",
    "simulated": "of these simulated",
    "consented": "Agreed to take part",
    "declined": "Declined",
    "screened_out": "Screened out",
    "returned": "Returned half way",
    "timed_out": "Timed out",
    "at_work": "Still at work",
    "completed": "Completed",
    "erased": "Took their answers back",
    "excluded": "Excluded by hand",
    "excluded_by_rules": "Excluded by the rules",
}
SCREENED = {"practice": "in practice", "comprehension": "by the questions about the instructions"}


def describe_participants(matter: Matter) -> Row | None:
    return matter.study.participants


def make_tables(report: Report) -> list[Table]:
    columns = [Column("step", "What became of those who came", "text"), Column("n", "Workers", "count")]
    rows = flow_rows(report["participants"]) if "participants" in report else []
    return [Table("participants", "Flow of participants", columns, rows)]


def flow_rows(flow: Row) -> list[Row]:
    """A row a step; how screening and the rules come to their numbers follows them."""
    rows: list[Row] = []
    for name, label in STEPS.items():
        if flow[name] or name in ("arrived", "consented", "completed"):
            rows.append({"step": label, "n": flow[name]})
        if name == "screened_out":
            rows += [{"step": f"– {SCREENED[why]}", "n": n} for why, n in flow["screened_out_by"].items()]
        if name == "excluded_by_rules":
            rows += [{"step": f"– {RULES[rule].label}", "n": n} for rule, n in flow["by_rule"].items()]
    return rows


def draw_flow(report: Report) -> list[Row] | None:
    """From arrival to analysis: how many are left at each step, and who is lost after it, with why."""
    flow = report.get("participants")
    if flow is None:
        return None
    analysed = [{"label": "In this report", "n": len(report["workers"]), "lost": []}] if "workers" in report else []
    return [
        _step(flow, "arrived", "declined", aside="simulated"),
        _step(flow, "consented", "screened_out", "returned", "timed_out", "at_work"),
        _step(flow, "completed", "erased", "excluded", "excluded_by_rules"),
        *analysed,
    ]


def _step(flow: Row, name: str, *losses: str, aside: str = "") -> Row:
    reasons = {
        "screened_out": [{"label": SCREENED[why], "n": n} for why, n in flow["screened_out_by"].items()],
        "excluded_by_rules": [{"label": RULES[rule].label, "n": n} for rule, n in flow["by_rule"].items() if n],
    }
    lost = [{"label": STEPS[loss], "n": flow[loss], "reasons": reasons.get(loss, [])} for loss in losses if flow[loss]]
    note = f"{STEPS[aside]}: {flow[aside]:,}" if aside and flow[aside] else ""
    return {"label": STEPS[name], "n": flow[name], "note": note, "lost": lost}


SECTION = Section(
    "participants",
    "Flow of participants",
    describe=describe_participants,
    tables=make_tables,
    template="reports/flow.html",
    shape=draw_flow,
)
