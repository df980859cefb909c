"""The answers to every question of a rating, where workers were asked several: the first is the report's own score."""

import json
from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.bootstrap import percentile_interval
from analysis.scoring.drawing import draw, observe, resampled
from analysis.scoring.people import means_of
from analysis.study import RATING
from protocols.rating import OFFERED
from reports.drawing import Figure, both_widths
from reports.sections.section import Matter, Report, Row, Section, over_what, pair
from reports.stacking import stack_answers
from reports.tabulating import Column, Table

FIRST = "answer"


def describe_questions(matter: Matter) -> list[Row]:
    """A row for each question and method, methods in the order of their names; empty where one question was asked."""
    judgments = matter.study.judgments
    if matter.study.protocol != RATING or judgments is None or not (judgments["beside"] != "").any():
        return []
    rows: list[Row] = []
    for question, answers in _by_question(judgments):
        people = means_of(answers)
        values = observe(people)
        drawn = draw(people, replicates=matter.settings.replicates, seed=matter.settings.seed)
        intervals = percentile_interval(np.clip(drawn, answers["score"].min(), answers["score"].max()))
        for at, method in enumerate(people.methods):
            own = answers[answers["method"] == method]
            row: Row = {
                "question": question,
                "method": method,
                "value": float(values[at]),
                "ci": pair(intervals[:, at]),
            }
            row |= {"over": resampled(people), "n": int(own["text"].nunique()), "n_judgments": len(own)}
            rows.append(row | {"answers": _counts(own["score"])})
    return rows


def _by_question(judgments: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The judgments with each question's answer as their score, those who answered it."""
    yield FIRST, judgments
    given = [json.loads(cell) if cell else {} for cell in judgments["beside"]]
    for key in sorted({key for one in given for key in one}):
        scores = pd.Series([one.get(key) for one in given], index=judgments.index, dtype=object).astype(float)
        yield key, judgments[scores.notna()].assign(score=scores[scores.notna()])


def _counts(scores: pd.Series) -> dict[str, int]:
    counts = scores.value_counts().sort_index()
    return {f"{value:g}": int(n) for value, n in counts.items()}


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("label", "Question", "text"), Column("method", "Method", "method"), Column("value", "Mean", "score"),
        Column("ci", "95 %", "scores"), Column("n", "Texts", "count"), Column("n_judgments", "Judgments", "count"),
    ]  # fmt: skip
    rows = [row | {"label": question_label(row["question"])} for row in report.get("questions", [])]
    return [Table("questions", "Mean answer to each question", columns, rows)]


def question_label(key: str) -> str:
    if key == FIRST:
        return "The campaign's question"
    return OFFERED[key].label if key in OFFERED else key.replace("own_", "Own question ").replace("_", " ")


def draw_figures(report: Report) -> list[Figure]:
    """Of all questions but the first, which has its figure among the scores."""
    order = {row["method"]: place for place, row in enumerate(report["methods"])}
    figures = []
    for key in dict.fromkeys(row["question"] for row in report.get("questions", [])):
        if key != FIRST:
            own = [row for row in report["questions"] if row["question"] == key and row["method"] in order]
            figures.append(_figure(key, sorted(own, key=lambda row: order[row["method"]])))
    return figures


def _figure(key: str, rows: list[Row]) -> Figure:
    label = question_label(key)
    title = f"Share of each answer by method: {label.lower()}"
    return both_widths(f"answers_{key}", title, lambda width: stack_answers(rows, width, label.lower()), "questions")


def explain(report: Report) -> list[str]:
    if not report.get("questions"):
        return []
    return [
        "Workers answered several questions of each text. Ranks, tests and correlations are of the campaign's own "
        f"question; means of all are over texts, with intervals over {over_what(report)}."
    ]


SECTION = Section(
    "questions",
    "Every question",
    describe=describe_questions,
    tables=make_tables,
    figures=draw_figures,
    notes=explain,
)
