"""The texts that split people: where two who judged the same differ most."""

from collections.abc import Hashable
from statistics import median

import pandas as pd

from analysis.study import MARKING, STIMULUS
from protocols import PROTOCOLS
from reports.sections.section import Matter, Report, Row, Section
from reports.stacking import MOST_POINTS
from reports.tabulating import Column, Table, show

# Told of in the report; of all there are, an analysis of the export tells.
MOST = 50


def describe_divided(matter: Matter) -> list[Row]:
    """The texts of which two answers to the same stimulus differ most, with all answers; without pairs there are none.

    disagreement: the share of pairs of answers that are unlike; where answers are points of a scale, their mean
    distance. Pairs of all stimuli of a text count alike.
    """
    answers = matter.study.answers
    if answers is None or answers.empty or matter.study.protocol == MARKING:
        return []
    level = matter.study.level or PROTOCOLS[matter.study.protocol].level
    graded = level != "nominal" and bool(pd.to_numeric(answers["label"], errors="coerce").notna().all())
    texts = _distances(answers, graded=graded).groupby("text", sort=True)[["apart", "pairs"]].sum()
    texts = texts[texts["apart"] > 0]
    texts["disagreement"] = texts["apart"] / texts["pairs"]
    most = texts.sort_values(["disagreement", "pairs"], ascending=False, kind="stable").head(MOST)
    told = answers[answers["text"].isin(most.index)].groupby("text")["label"]
    labels: dict[Hashable, pd.Series[int]] = {text: own.value_counts().sort_index() for text, own in told}
    return [
        {
            "text": str(text),
            "disagreement": float(value),
            "n": int(labels[text].sum()),
            "answers": {str(label): int(n) for label, n in labels[text].items()},
        }
        for text, value in most["disagreement"].items()
    ]


def _distances(answers: pd.DataFrame, *, graded: bool) -> pd.DataFrame:
    """Per stimulus how many pairs of answers there are, and how far apart they are all together. Linear in the answers.

    Of unlike pairs: all pairs less those of the same label. Of distances: each gap between neighbouring values counts
    once for each answer below it paired with each above it.
    """
    counts = answers.groupby([*STIMULUS, "label"], dropna=False, sort=True).size().rename("n").reset_index()
    if graded:
        counts["at"] = pd.to_numeric(counts["label"])
        counts = counts.sort_values([*STIMULUS, "at"], kind="stable")
    stimuli = counts.groupby(STIMULUS, dropna=False, sort=False)
    total = stimuli["n"].transform("sum")
    if graded:
        below = stimuli["n"].cumsum()
        gap = stimuli["at"].shift(-1) - counts["at"]
        counts["apart"] = (gap * below * (total - below)).fillna(0.0)
    else:
        counts["apart"] = counts["n"] * (total - counts["n"]) / 2
    counts["pairs"] = counts["n"] * (total - 1) / 2
    return counts


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("text", "Text", "id"), Column("disagreement", "Disagreement", "hundredth"),
        Column("n", "Judgments", "count"), Column("said", "Answers", "text"),
    ]  # fmt: skip
    rows = [row | {"said": _said(row["answers"])} for row in report.get("divided", [])]
    return [Table("divided", "Texts that split people, most first", columns, rows)]


def _said(answers: dict[str, int]) -> str:
    """Each answer with its count; of more points of a scale than can be read, where they lie."""
    if pd.to_numeric(pd.Series(list(answers)), errors="coerce").notna().all():
        answers = {label: answers[label] for label in sorted(answers, key=float)}
        if len(answers) > MOST_POINTS:
            least, *_, most = answers
            middle = median(float(label) for label, n in answers.items() for _ in range(n))
            return f"{least} to {most}, median {middle:g}"
    return ", ".join(f"{show('text', label)}: {n:,}" for label, n in answers.items())


def explain(report: Report) -> list[str]:
    return [_NOTE] if report.get("divided") else []


_NOTE = (
    "Disagreement is the share of pairs of people who answered the same question differently; of points of a scale, "
    f"the mean distance of two people's answers. At most {MOST} texts are told of."
)

SECTION = Section("divided", "Texts that split people", describe=describe_divided, tables=make_tables, notes=explain)
