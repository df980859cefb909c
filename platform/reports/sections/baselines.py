"""Guesses from all that can be read, without a method."""

import numpy as np

from analysis.scoring.accuracy import wilson
from analysis.scoring.voting import majority_verdicts
from analysis.study import TOPK_GUESS
from reports.sections.section import Matter, Report, Row, Section, number, pair
from reports.tabulating import Column, Table


def describe_baselines(matter: Matter) -> list[Row]:
    """The share that was right, which no k bounds."""
    study = matter.study
    if study.protocol != TOPK_GUESS or study.answers is None:
        return []
    unbounded = study.answers[study.answers["k"].isna()]
    rows = []
    for method, own in unbounded.groupby("method", sort=True):
        verdicts = majority_verdicts(own.assign(k=0))
        share = wilson(int(verdicts["recognised"].sum()), len(verdicts))
        ci = pair(np.array([share.low, share.high]))
        rows.append({"method": str(method), "accuracy": number(share.value), "n": share.n, "ci": ci})
    return rows


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "Baseline", "method"), Column("accuracy", "Recognised", "share"),
        Column("ci", "95 %", "shares"), Column("n", "Texts", "count"),
    ]  # fmt: skip
    title = "What people recognise without a method"
    return [Table("baselines", title, columns, report.get("baselines", []))]


SECTION = Section("baselines", "Baselines", describe=describe_baselines, tables=make_tables)
