"""Which methods score higher than an arm by the test that a report's finding goes by: the test by text."""

from typing import Any

from analysis.study import NO_EXPLANATION, RANDOM

Row = dict[str, Any]
# By its key in a method's row: the arm, and as sentences call it.
ARMS = {"vs_random": (RANDOM, "Random"), "vs_no_explanation": (NO_EXPLANATION, "no explanation")}
SURE = 0.05


def surely_higher(row: Row, key: str) -> bool:
    """After Holm's adjustment over the methods that are compared with the arm."""
    adjusted = row[key].get("p_clustered_adjusted", row[key]["p_adjusted"])
    return bool(row[key]["difference"] > 0 and adjusted < SURE)


def higher_than(report: Row, arm: str) -> set[str] | None:
    """The methods; None where the report compares none with this arm."""
    key = next((key for key, (name, _) in ARMS.items() if name == arm), "")
    compared = [row for row in report["methods"] if key in row]
    return {row["method"] for row in compared if surely_higher(row, key)} if compared else None
