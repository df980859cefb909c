"""What sentences about a report share."""

from typing import Any

from protocols import PROTOCOLS
from reports.tabulating import show

Report = dict[str, Any]


def open_report(report: Report) -> str:
    """What the report is of."""
    protocol = PROTOCOLS[report["meta"]["protocol"]].label.lower()
    n_methods, n_judgments = len(report["methods"]), report["meta"]["n_judgments"]
    size = f"{n_methods} method" + ("" if n_methods == 1 else "s")
    if n_judgments:
        size += f", {n_judgments:,} judgment" + ("" if n_judgments == 1 else "s")
    return f"Human evaluation of saliency explanations ({protocol}): {size}."


def within(kind: str, ci: list[float] | None, unit: str = "") -> str:
    """The interval in brackets, or nothing where there is none."""
    return "" if ci is None else f" (95\N{NO-BREAK SPACE}% interval {show(kind, ci)}{unit})"
