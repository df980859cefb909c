"""What difference the workers make whom the rules exclude."""

import numpy as np

from analysis.quality.rules import RULES
from analysis.scoring.drawing import observe
from analysis.study import Study
from reports.measuring import score_people
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import Column, Table


def describe_exclusions(matter: Matter) -> Row | None:
    """The main scores without and with the workers whom the rules exclude; None where they exclude nobody.

    `without` is what the rest of the report is made of; a score that is undefined is None.
    """
    study = matter.study
    if study.everybody is None:
        return None
    without, everybody = _scores(study), _scores(study.everybody)
    return {
        **study.meta["excluded"],
        "methods": [
            {
                "method": method,
                "without": without.get(method),
                "with": value,
                "n_without": _count(study, method),
                "n_with": _count(study.everybody, method),
            }
            for method, value in sorted(everybody.items())
        ],
    }


def _scores(study: Study) -> dict[str, float | None]:
    if not study.methods:
        return {}
    scores = score_people(study)
    if not scores.methods:
        return {}
    values = observe(scores.known)
    return {
        name: float(value) if np.isfinite(value) else None for name, value in zip(scores.methods, values, strict=True)
    }


def _count(study: Study, method: str) -> int:
    assert study.judgments is not None
    return int((study.judgments["method"] == method).sum())


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "Method", "method"), Column("without", "Without the excluded", "score"),
        Column("with", "With them", "score"), Column("n_without", "Judgments without", "count"),
        Column("n_with", "Judgments with", "count"),
    ]  # fmt: skip
    title = "Scores without and with the workers whom the rules exclude"
    return [Table("exclusions", title, columns, report.get("exclusions", {}).get("methods", []))]


def explain(report: Report) -> list[str]:
    found = report.get("exclusions")
    if found is None:
        return []
    rules = ", ".join(f"{_rule(name)} {n:,}" for name, n in found["by_rule"].items())
    return [
        f"{found['n_excluded']:,} of {found['n_workers']:,} workers, with {found['n_judgments_excluded']:,} judgments, "
        f"are left out by the rules that were written before launch ({rules}). Their judgments are in the export; a "
        "table has the scores without and with them."
    ]


def _rule(name: str) -> str:
    """A file from elsewhere may name rules of its own."""
    return RULES[name].label.lower() if name in RULES else name


SECTION = Section("exclusions", "Exclusions", describe=describe_exclusions, tables=make_tables, notes=explain)
