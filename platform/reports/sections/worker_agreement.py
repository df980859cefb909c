"""Workers beside each other: how often each agrees with the others, and, of few, how often each two."""

import numpy as np

from analysis.agreement.comparing import agreement_with_others, compare_raters
from analysis.agreement.counting import Ratings
from reports.drawing import NARROW, Figure, Spec, both_widths, title_of
from reports.matrices import Cell, draw_matrix
from reports.sections.section import Matter, Report, Row, Section, number
from reports.tabulating import Column, Table

# Of more workers a square cannot be read, and has more cells than there are judgments.
MOST_DRAWN = 20


def describe_workers(matter: Matter) -> Row | None:
    """`workers`: each with all who judged the same stimuli; `pairs`: each two who share a stimulus, of few workers.

    Agreement is the share of the same answers; null with n = 0 for a worker who shares no stimulus.
    """
    found = matter.tally
    if found is None or found.ratings.judgments is None or len(found.ratings.raters) < 2:
        return None
    workers: list[Row] = [
        {"worker": str(worker), "n": int(n), "agreement": number(share)}
        for worker, n, share in agreement_with_others(found.ratings).itertuples(index=False)
    ]
    return {"workers": workers, "pairs": _pairs(found.ratings) if len(workers) <= MOST_DRAWN else []}


def _pairs(ratings: Ratings) -> list[Row]:
    matrix = compare_raters(ratings)
    shared, agreement = matrix.shared.toarray(), matrix.agreement()
    return [
        {"worker": str(matrix.raters[first]), "other": str(matrix.raters[second]),
         "n": int(shared[first, second]), "agreement": float(agreement[first, second])}
        for first, second in zip(*np.nonzero(np.triu(shared)), strict=True)
    ]  # fmt: skip


def make_tables(report: Report) -> list[Table]:
    found = report.get("worker_agreement", {})
    shared = [Column("n", "Stimuli shared", "count"), Column("agreement", "Same answer", "share")]
    each = Table(
        "worker_agreement", "Each worker with all others", [Column("worker", "Worker", "id"), *shared],
        found.get("workers", []),
    )  # fmt: skip
    pairs = Table(
        "worker_pairs", "Each two workers",
        [Column("worker", "Worker", "id"), Column("other", "And", "id"), *shared], found.get("pairs", []),
    )  # fmt: skip
    return [each, pairs]


def make_figures(report: Report) -> list[Figure]:
    pairs = report.get("worker_agreement", {}).get("pairs", [])
    if len(pairs) < 3:
        return []
    workers = [row["worker"] for row in report["worker_agreement"]["workers"]]
    cells = [cell for row in pairs for cell in (_cell(row, "worker", "other"), _cell(row, "other", "worker"))]

    def draw(width: int) -> Spec:
        title = title_of(
            "Same answer, each two workers", "Per cent of the stimuli that both judged; empty where there are none",
            narrow=width == NARROW,
        )  # fmt: skip
        return draw_matrix(workers, cells, title, width, label=str)

    return [both_widths("worker_pairs", "Agreement of each two workers", draw, "worker_pairs")]


def _cell(row: Row, first: str, second: str) -> Cell:
    share, n = row["agreement"], row["n"]
    tip = f"{row[first]} and {row[second]}: {share * 100:.0f} % of {n:,} {'stimulus' if n == 1 else 'stimuli'}"
    return Cell(row[first], row[second], share, f"{share * 100:.0f}", tip)


def explain(report: Report) -> list[str]:
    return [_NOTE] if report.get("worker_agreement") else []


_NOTE = (
    "A worker's agreement with all others is the mean over the stimuli they share of the share of others who gave the "
    "same answer. A worker far below the rest may have misunderstood, or see what others do not."
)

SECTION = Section(
    "worker_agreement",
    "Workers beside each other",
    describe=describe_workers,
    tables=make_tables,
    figures=make_figures,
    notes=explain,
)
