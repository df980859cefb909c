"""Every method against the Random arm and against no explanation, on the same texts."""

import numpy as np

from analysis.ranking.comparing import holm
from analysis.study import TOPK_GUESS
from reports.measuring import Comparison, Scores, compare_with
from reports.palette import method_label
from reports.sections.section import Matter, Report, Row, Section, measured, pair, ranked
from reports.standing_out import ARMS, SURE, surely_higher
from reports.tabulating import Column, Table


def compare_methods(matter: Matter, scores: Scores) -> dict[str, Row]:
    rows: dict[str, Row] = {method: {} for method in scores.methods}
    for key, (arm, _) in ARMS.items():
        for method, found in _comparisons(compare_with(arm, scores, matter.differences, matter.settings), arm).items():
            rows[method][key] = found
    return rows


def _comparisons(comparisons: dict[str, Comparison], reference: str) -> dict[str, Row]:
    """Each comparison as a row, p values adjusted by Holm over the methods."""
    clustered = np.array([c.p_clustered for c in comparisons.values()])
    main = np.array([c.p_clustered if c.mcnemar is None else c.mcnemar.p for c in comparisons.values()])
    rows = {}
    for (method, c), adjusted, adjusted_clustered in zip(comparisons.items(), holm(main), holm(clustered), strict=True):
        row: Row = {"difference": c.difference, "ci": pair(c.ci)}
        row["test"] = "sign_flip_by_text" if c.mcnemar is None else "mcnemar_exact_pooled"
        row["p"] = c.p_clustered if c.mcnemar is None else c.mcnemar.p
        row["p_adjusted"] = float(adjusted)
        if c.mcnemar is not None:
            row |= {"method_only": c.mcnemar.first_only, f"{reference}_only": c.mcnemar.second_only}
            row |= {"p_clustered": c.p_clustered, "p_clustered_adjusted": float(adjusted_clustered)}
        row["p_crossed"] = c.p_crossed
        rows[method] = row
    return rows


def make_tables(report: Report) -> list[Table]:
    return [_table(report, key, reference) for key, (_, reference) in ARMS.items()]


def _table(report: Report, key: str, reference: str) -> Table:
    rows = [{"method": row["method"], **row[key]} for row in report["methods"] if key in row]
    in_shares = measured(report).is_share
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
    if any(row["p_crossed"] is not None for row in rows):
        columns.append(Column("p_crossed", "p, by text and worker", "p"))
    return Table("against_" + key.removeprefix("vs_"), f"Difference from {reference}", columns, rows)


def say(report: Report) -> list[str]:
    sentences = []
    for key, (_, reference) in ARMS.items():
        if compared := [row for row in ranked(report) if key in row]:
            sentences.append(_against(compared, key, reference))
    return sentences


def _against(compared: list[Row], key: str, reference: str) -> str:
    better = [method_label(row["method"]) for row in compared if surely_higher(row, key)]
    names = [method_label(row["method"]) for row in compared]
    family = "" if len(names) == 1 else f", adjusted by Holm over the {len(names)} comparisons with {reference}"
    return f"{_how_many_score(better, names)} higher than {reference} (test by text, p < {SURE}{family})."


def _how_many_score(better: list[str], names: list[str]) -> str:
    """The sentence up to its verb, as people say it."""
    if len(names) == 1:
        return f"{names[0]} scores" if better else f"{names[0]} does not score"
    if len(better) in (0, len(names)):
        return f"All {len(names)} methods score" if better else f"None of the {len(names)} methods scores"
    verb = "scores" if len(better) == 1 else "score"
    return f"{len(better)} of the {len(names)} methods ({', '.join(better)}) {verb}"


def explain(report: Report) -> list[str]:
    if not any(key in row for row in report["methods"] for key in ARMS):
        return []
    return [_MCNEMAR_NOTE + " " + _SIGN_NOTE if report["meta"]["protocol"] == TOPK_GUESS else _SIGN_NOTE]


_MCNEMAR_NOTE = (
    "Differences from an arm are tested by McNemar's exact test over all pairs of text and k, which takes pairs of one "
    "text as independent: in simulated studies of 40 texts at five ks, all methods alike, it found a difference in "
    "16 % instead of 5 % (docs/planning.md). The finding goes by the test by text."
)
_SIGN_NOTE = (
    "The test by text flips the signs of whole texts, so that a text is one observation. p values are adjusted by "
    "Holm over the methods that are compared with the arm, and with no other two methods."
)

SECTION = Section(
    "against",
    "Against Random and no explanation",
    per_method=compare_methods,
    tables=make_tables,
    findings=say,
    notes=explain,
)
