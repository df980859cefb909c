"""Whether what stands on the left is preferred."""

from analysis.scoring.accuracy import wilson
from analysis.study import PAIRWISE
from reports.sections.section import Matter, Report, Row, Section
from reports.tabulating import show
from reports.wording import within


def describe_sides(matter: Matter) -> Row | None:
    """How often what stood on the left was preferred, ties left aside: half, but for a habit. Wilson's interval."""
    answers = matter.study.answers
    if matter.study.protocol != PAIRWISE or answers is None or answers["left"].isna().all() or matter.scores is None:
        return None
    left = answers["left"].dropna().astype(int)
    share = wilson(int(left.sum()), len(left))
    return {"left": float(share.value), "ci": [float(share.low), float(share.high)], "n": share.n}


def explain(report: Report) -> list[str]:
    sides = report.get("sides")
    if sides is None:
        return []
    share, interval = show("share", sides["left"]), within("shares", sides["ci"], " %")
    return [
        f"Sides are drawn anew for each judgment. Without ties, what stood on the left was preferred in {share}"
        f"{interval} of {sides['n']:,} judgments; half would be no habit at all."
    ]


SECTION = Section("sides", "Sides", describe=describe_sides, notes=explain)
