import pytest

from campaigns.models import Campaign
from campaigns.parts.arms import ALLOCATIONS, DRAWN, ArmsPart
from protocols import PROTOCOLS
from protocols.displays import DISPLAYS

FILLED = {"baselines": ["full_text"], "allocation": "latin_square", "block_size": "10", "once_per_dataset": "on"}


def part(protocol: str, **data: object) -> ArmsPart:
    return ArmsPart(PROTOCOLS[protocol], data or None, instance=Campaign())


def test_it_works() -> None:
    form = part("topk_guess", **FILLED)
    assert form.is_valid(), form.errors
    campaign = form.instance
    assert (campaign.baselines, campaign.allocation, campaign.block_size) == (["full_text"], "latin_square", 10)
    assert (campaign.once_per_dataset, campaign.unfinished_count, campaign.idle_minutes) == (True, False, 1440)


def test_what_is_left_empty_stands_at_its_default() -> None:
    form = part("topk_guess", allocation="", block_size="")
    assert form.is_valid(), form.errors
    assert (form.instance.allocation, form.instance.block_size) == ("least_filled", 0)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("allocation", "by_hand", "by_hand"), ("block_size", "-1", "0"), ("idle_minutes", "10081", "10080")],
)
def test_what_cannot_be_is_told(field: str, value: str, said: str) -> None:
    form = part("topk_guess", **{field: value})
    assert not form.is_valid() and said in str(form.errors[field])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_only_what_applies_to_the_protocol_is_asked(protocol: str) -> None:
    asked, names = PROTOCOLS[protocol], set(part(protocol).fields)
    assert ("baselines" in names) == bool(asked.baselines)
    assert ("displays" in names) == (len(asked.displays) > 1)
    assert ("examples_per_label" in names) == asked.learning
    assert ("allocation" in names) == (bool(asked.maps) and not asked.between)
    assert {"block_size", "idle_minutes", "once_per_dataset", "unfinished_count"} <= names


def test_a_protocol_that_keeps_workers_on_one_method_says_so_itself() -> None:
    assert part("forward_simulation").instance.allocation == Campaign.Allocation.BETWEEN
    assert part("rationale_marking").instance.allocation == Campaign.Allocation.LEAST_FILLED


def test_every_choice_is_explained() -> None:
    assert set(ALLOCATIONS) == set(Campaign.Allocation) and set(DRAWN) == set(DISPLAYS)
    form = part("topk_guess")
    assert all(one.data["note"] for name in ("allocation", "baselines") for one in form[name])
