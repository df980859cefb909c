"""What sentences about a report share."""

from typing import Any

from protocols import KNOWN, PROTOCOLS
from reports.tabulating import show

Report = dict[str, Any]


def open_report(report: Report) -> str:
    """What the report is of."""
    protocol = KNOWN[report["meta"]["protocol"]]
    n_methods, n_judgments = len(report["methods"]), report["meta"]["n_judgments"]
    size = [counted(n_methods, "method")] if n_methods or not n_judgments else []
    size += [counted(n_judgments, "judgment")] if n_judgments else []
    what = "Labels by people" if protocol.name not in PROTOCOLS else _WHAT.format(protocol.label.lower())
    return f"{what}: {', '.join(size)}."


_WHAT = "Human evaluation of saliency explanations ({})"


def counted(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("" if n == 1 else "s")


def within(kind: str, ci: list[float] | None, unit: str = "") -> str:
    """The interval in brackets, or nothing where there is none."""
    return "" if ci is None else f" (95\N{NO-BREAK SPACE}% interval {show(kind, ci)}{unit})"
