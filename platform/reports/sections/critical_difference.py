"""Mean ranks of the methods over texts, and which of them a reader may not tell apart."""

from typing import Any

from analysis.ranking.critical_difference import CriticalDifference, critical_value, nemenyi
from reports.diagramming import draw_diagram
from reports.drawing import Figure, both_widths
from reports.palette import method_label
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table

ALPHA = 0.05


def describe_ranks(matter: Matter) -> Row | None:
    """Where methods are ranked and there are at least three; null with a status where no two texts have every cell."""
    scores = matter.scores
    if scores is None or not matter.measure.ranked or len(scores.methods) < 3:
        return None
    found = nemenyi(scores.by_text if scores.grid is None else scores.grid.verdicts.sum(axis=-1), ALPHA)
    facts: Row = {"test": "nemenyi", "alpha": ALPHA, "over": "texts"}
    if found is None:
        return facts | {"value": None, "n": 0, "status": "too_few_texts"}
    return facts | _described(scores.methods, found)


def _described(methods: list[str], found: CriticalDifference) -> Row:
    order = sorted(range(len(methods)), key=lambda at: (found.mean_ranks[at], methods[at]))
    return {
        "value": found.difference,
        "q": critical_value(len(methods), ALPHA),
        "n": found.n,
        "mean_ranks": [{"method": methods[at], "mean_rank": float(found.mean_ranks[at])} for at in order],
        "groups": [[methods[at] for at in group] for group in found.groups],
        "pairs": [
            {"method": methods[first], "other": methods[second], "p": float(found.p[first, second])}
            for place, first in enumerate(order)
            for second in order[place + 1 :]
        ],
        "status": "ok",
    }


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "Method", "method"), Column("mean_rank", "Mean rank", "score"),
        Column("alike", "Not told apart from", "text"),
    ]  # fmt: skip
    found = _known(report)
    rows = [row | {"alike": _alike(found, row["method"])} for row in found.get("mean_ranks", [])]
    return [Table("mean_ranks", "Mean ranks of the methods over texts", columns, rows)]


def _alike(found: dict[str, Any], method: str) -> str:
    others = dict.fromkeys(other for group in found["groups"] if method in group for other in group)
    return ", ".join(method_label(other) for other in others if other != method)


def _known(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = report.get("critical_difference", {})
    return found if found.get("status") == "ok" else {}


def draw_figures(report: Report) -> list[Figure]:
    found = _known(report)
    if not found:
        return []
    title = "Mean ranks of the methods, and the critical difference"
    return [both_widths("critical_difference", title, lambda width: draw_diagram(found, width), "mean_ranks")]


def explain(report: Report) -> list[str]:
    return [_NOTE] if _known(report) else []


_NOTE = (
    "Mean ranks are over texts judged under every method, 1 for the best on a text, equal scores sharing the mean "
    "rank. Two methods are told apart where their mean ranks lie at least the critical difference (CD) apart: "
    "Nemenyi's test at level 0.05, which allows for all pairs and follows a Friedman test that finds a difference "
    "(Demsar 2006). Ranks are taken text by text, so that their order may differ from that of the scores."
)

SECTION = Section(
    "critical_difference",
    "Mean ranks",
    describe=describe_ranks,
    tables=make_tables,
    figures=draw_figures,
    notes=explain,
)
