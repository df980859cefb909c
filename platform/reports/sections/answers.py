"""How often each answer was given under each method."""

from analysis.study import RATING
from reports.drawing import Figure, both_widths
from reports.measuring import Scores
from reports.sections.section import Matter, Report, Row, Section
from reports.stacking import stack_answers
from reports.tabulating import Column, Table

# Whose answers are points of a scale.
GRADED = (RATING, "word_importance")


def count_answers(matter: Matter, scores: Scores) -> dict[str, Row]:
    """Where there are no verdicts: answers by kind."""
    judgments = matter.study.judgments
    if scores.grid is not None or judgments is None:
        return {}
    answers = judgments.groupby(["method", "label"], sort=True).size().reset_index(name="n")
    rows = {}
    for method in scores.methods:
        own = answers[answers["method"] == method]
        counts = dict(zip(own["label"].astype(str), own["n"].astype(int).tolist(), strict=True))
        rows[method] = {"answers": counts}
    return rows


def make_tables(report: Report) -> list[Table]:
    """Of points of a scale; other answers are as many as there are labels."""
    if report["meta"]["protocol"] not in GRADED:
        return []
    columns = [
        Column("method", "Method", "method"), Column("answer", "Answer", "text"), Column("n", "Answers", "count"),
        Column("share", "Share of the method's", "share"),
    ]  # fmt: skip
    rows = [
        {"method": row["method"], "answer": answer, "n": n, "share": n / sum(row["answers"].values())}
        for row in report["methods"]
        for answer, n in sorted(row.get("answers", {}).items(), key=lambda item: float(item[0]))
    ]
    return [Table("answers", "Answers by method", columns, rows)]


def draw_figures(report: Report) -> list[Figure]:
    if report["meta"]["protocol"] not in GRADED or not report["methods"]:
        return []
    title = "Share of each answer by method"
    return [both_widths("answers", title, lambda width: stack_answers(report["methods"], width), "answers")]


SECTION = Section("answers", "Answers", per_method=count_answers, tables=make_tables, figures=draw_figures)
