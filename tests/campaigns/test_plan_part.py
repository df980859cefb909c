from typing import Any

import pytest

from campaigns.models import Campaign
from campaigns.parts.plan import PlanPart
from protocols import PROTOCOLS


def part(protocol: str = "rating", **data: Any) -> PlanPart:
    return PlanPart(PROTOCOLS[protocol], {"methods": ["gradient", "random"], **data}, instance=Campaign())


def test_it_works() -> None:
    found = part(hypotheses="Gradients help.", comparisons="Gradient against Random")
    assert found.is_valid(), found.errors
    assert found.instance.hypotheses == "Gradients help." and found.instance.comparisons == [["gradient", "random"]]


def test_nothing_of_it_is_needed() -> None:
    found = part()
    assert found.is_valid() and found.instance.comparisons == []


def test_arms_may_be_given_by_name_and_imported() -> None:
    found = part(methods=["imported:mine", "no_explanation"], comparisons="mine (imported) against no_explanation")
    assert found.is_valid(), found.errors
    assert found.instance.comparisons == [["imported:mine", "no_explanation"]]


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("Gradient", "Line 1: write two arms"),
        ("Gradient against Gradient", "Line 1: write two arms"),
        ("\nGradient against Magic", "Line 2: there is no arm"),
        ("Gradient against LIME", "LIME is not among the arms"),
        ("Gradient against Random\nRandom against Gradient", "Two lines say the same"),
    ],
)
def test_what_cannot_be_compared_is_refused(lines: str, complaint: str) -> None:
    assert complaint in str(part(comparisons=lines).errors["comparisons"])


def test_comparisons_are_shown_as_they_are_written() -> None:
    campaign = Campaign(comparisons=[["gradient", "random"]])
    assert PlanPart(PROTOCOLS["rating"], instance=campaign)["comparisons"].value() == "Gradient against Random"


def test_where_no_maps_are_shown_nothing_is_compared() -> None:
    assert "comparisons" not in part("rationale_marking").fields
