"""Workers, by pseudonym."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from analysis.study import PAIRWISE
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table


def describe_workers(matter: Matter) -> list[Row]:
    """Per pseudonymous worker: judgments, mean score, median response time, how many were late."""
    answers = matter.study.answers
    if answers is None or answers.empty:
        return []
    grouped = answers.assign(ms=answers["response_ms"].astype("Float64")).groupby("worker", sort=True)
    table = grouped.agg(
        n_judgments=("score", "size"),
        mean_score=("score", "mean"),
        median_response_ms=("ms", "median"),
        late=("late", "sum"),
    )
    rows: list[dict[Hashable, Any]] = table.reset_index().to_dict("records")
    paired = matter.study.protocol == PAIRWISE  # Which of a pair comes first is nobody's merit.
    return [
        {
            "worker": str(row["worker"]),
            "n_judgments": int(row["n_judgments"]),
            "mean_score": None if paired or pd.isna(row["mean_score"]) else float(row["mean_score"]),
            "median_response_ms": None if pd.isna(row["median_response_ms"]) else float(row["median_response_ms"]),
            "late": int(row["late"]),
        }
        for row in rows
    ]


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("worker", "Worker", "text"), Column("n_judgments", "Judgments", "count"),
        Column("mean_score", "Mean score", "score"), Column("seconds", "Median seconds", "tenths"),
        Column("late", "Late", "count"),
    ]  # fmt: skip
    rows = []
    for row in report.get("workers", []):
        median = row["median_response_ms"]
        rows.append(row | {"seconds": None if median is None else median / 1000})
    return [Table("workers", "Workers, by pseudonym", columns, rows)]


SECTION = Section("workers", "Workers", describe=describe_workers, tables=make_tables)
