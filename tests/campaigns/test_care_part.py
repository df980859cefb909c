from typing import Any

import pytest

from campaigns.models import Campaign
from campaigns.parts.care import CarePart
from protocols import PROTOCOLS


def part(**data: Any) -> CarePart:
    return CarePart(PROTOCOLS["rating"], data, instance=Campaign())


def test_it_works() -> None:
    found = part(
        content_warning="Some texts are hateful.", demographics="Age? [number]", survey="Well?\n- Yes\n- No",
        debrief="We compared methods.", retention_months="12",
    )  # fmt: skip
    assert found.is_valid(), found.errors
    campaign = found.instance
    assert campaign.content_warning == "Some texts are hateful." and campaign.debrief == "We compared methods."
    assert campaign.demographics[0]["kind"] == "number" and campaign.survey[0]["choices"] == ["Yes", "No"]
    assert campaign.retention_months == 12


def test_nothing_of_it_is_needed() -> None:
    found = part()
    assert found.is_valid() and found.instance.retention_months is None


@pytest.mark.parametrize("months", ["0", "601", "x"])
def test_a_period_that_is_none_is_refused(months: str) -> None:
    assert "retention_months" in part(retention_months=months).errors


def test_a_faulty_line_is_named() -> None:
    assert "Line 1: give at least two choices" in str(part(survey="Well?").errors)


def test_questions_are_shown_as_they_are_written() -> None:
    campaign = Campaign(demographics=[{"question": "Age?", "kind": "number", "choices": [], "optional": True}])
    assert CarePart(PROTOCOLS["rating"], instance=campaign)["demographics"].value() == "Age? [number, optional]"
