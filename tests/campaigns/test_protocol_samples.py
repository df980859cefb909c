"""What is drawn, explained and shown for protocols that learn from examples, ask about edits or show no map."""

from collections import Counter
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Team, User
from campaigns.describing import planned
from campaigns.launching import launch
from campaigns.models import Campaign, SampledText
from campaigns.moving import CampaignError
from campaigns.preparing import prepare, settle
from campaigns.reaching import reached
from materials.models import Prediction
from tests.campaigns.actors import draft, edit, preparing, ready, work
from tests.conftest import signed_in

Role = SampledText.Role
LEARNING: dict[str, Any] = {
    "protocol": "forward_simulation",
    "texts": 12,
    "texts_per_label": 4,
    "examples_per_label": 2,
    "ks": [],
    "baselines": ["no_explanation"],
}


def wrongly_predicted(campaign: Campaign, count: int) -> None:
    """The model errs on the first texts of each label."""
    for label, other in (("neg", "pos"), ("pos", "neg")):
        keys = [f"{label}{number}" for number in range(count)]
        Prediction.objects.filter(text__dataset=campaign.dataset, text__key__in=keys).update(label=other)


def roles(campaign: Campaign) -> Counter[str]:
    return Counter(campaign.sample.values_list("role", flat=True))


def test_it_works(team: Team) -> None:
    campaign = draft(team, **LEARNING)
    wrongly_predicted(campaign, 6)
    prepare(campaign, None)
    assert roles(campaign) == {Role.EXAMPLE: 4, Role.ITEM: 8, Role.PRACTICE: 2}
    right = {
        role: Counter(one.text.label == one.expected for one in campaign.sample.filter(role=role))
        for role in (Role.EXAMPLE, Role.ITEM)
    }
    assert right == {Role.EXAMPLE: {True: 2, False: 2}, Role.ITEM: {True: 4, False: 4}}
    assert [str(condition) for condition in campaign.conditions.all()] == ["no_explanation", "gradient", "random"]


def test_only_examples_are_explained(team: Team) -> None:
    campaign = preparing(team, **LEARNING)
    assert campaign.run
    explained = sorted(pk for chunk in campaign.run.chunks.all() for pk in chunk.text_ids)
    assert explained == sorted(campaign.sample.filter(role=Role.EXAMPLE).values_list("text", flat=True))
    work(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY


def test_a_failed_example_is_replaced(team: Team) -> None:
    campaign = preparing(team, **LEARNING)
    failed = campaign.sample.filter(role=Role.EXAMPLE)[0].text
    work(campaign, failing=frozenset({failed.pk}))
    settle(campaign)
    assert [notice["key"] for notice in campaign.notices] == [failed.key]
    assert roles(campaign) == {Role.EXAMPLE: 4, Role.ITEM: 8, Role.PRACTICE: 2}
    work(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY


def test_every_arm_is_shown_the_same_examples_with_its_own_map(team: Team) -> None:
    campaign = ready(team, **LEARNING)
    launch(campaign)
    examples = campaign.stimuli.filter(role=Role.EXAMPLE).select_related("condition")
    by_arm: dict[str, list[Any]] = {}
    for one in examples.order_by("position"):
        by_arm.setdefault(one.condition.method, []).append(one)
    assert set(by_arm) == {"no_explanation", "gradient", "random"}
    assert len({tuple(one.text_id for one in found) for found in by_arm.values()}) == 1
    assert all(one.content["map"] is None and one.explanation is None for one in by_arm["no_explanation"])
    assert all(one.content["map"]["words"] and one.explanation for one in by_arm["gradient"])
    tests = campaign.stimuli.filter(role=Role.ITEM)
    assert tests.count() == 24 and not any("predicted" in one.content or one.explanation for one in tests)
    assert not campaign.places.exclude(stimulus__role=Role.ITEM).exists()


def test_examples_take_time_too(team: Team) -> None:
    campaign = draft(team, **LEARNING)
    assert planned(campaign).examples == 4 and planned(campaign).explained == 4
    without = draft_minutes = planned(campaign).minutes
    campaign.examples_per_label = 0
    without = planned(campaign).minutes
    assert round(draft_minutes - without, 3) == round(4 * campaign.seconds_per_item / 60, 3)


def test_the_page_says_how_far_the_sample_is_balanced(team: Team, alice: User) -> None:
    campaign = draft(team, **LEARNING)
    wrongly_predicted(campaign, 3)
    prepare(campaign, None)
    assert reached(campaign) == [
        ("Solved examples", "4 texts: 2 “neg” (1 wrong), 2 “pos” (1 wrong)."),
        ("Texts", "8 texts: 4 “neg” (2 wrong), 4 “pos” (2 wrong)."),
    ]
    page = signed_in(alice).get(campaign.get_absolute_url()).content.decode()
    assert "4 texts: 2 “neg” (1 wrong)" in page
    campaign.dataset.texts.update(label="")
    assert reached(campaign)[0][1].endswith("which are wrong is not known without gold labels.")


def test_examples_come_first_in_the_preview(team: Team, alice: User) -> None:
    campaign, client = ready(team, **LEARNING | {"methods": ["gradient"], "baselines": []}), signed_in(alice)
    address = reverse("campaign_preview", args=[campaign.slug])
    first, fifth = (client.get(address, {"text": number}).content.decode() for number in ("1", "5"))
    assert "A solved example" in first and "The program says:" in first and "Text (1 to 12)" in first
    assert "A solved example" not in fifth and "The program says:" not in fifth


def test_learning_needs_an_example(team: Team) -> None:
    campaign = draft(team, **LEARNING | {"examples_per_label": 0})
    with pytest.raises(CampaignError, match="solved examples"):
        prepare(campaign, None)


def test_without_gold_labels_examples_are_balanced_over_outputs_alone(team: Team) -> None:
    campaign = draft(team, **LEARNING)
    campaign.dataset.texts.update(label="")
    prepare(campaign, None)
    assert Counter(campaign.sample.filter(role=Role.EXAMPLE).values_list("expected", flat=True)) == {"neg": 2, "pos": 2}


def test_originals_are_shown_with_their_edit(team: Team) -> None:
    campaign = draft(team, protocol="counterfactual_simulation", ks=[], texts_per_label=3, texts=8)
    for text in campaign.dataset.texts.all():
        edit(text, campaign.classifier, "neg" if int(text.key[3:]) % 2 else "pos")
    prepare(campaign, None)
    assert roles(campaign) == {Role.ITEM: 6, Role.PRACTICE: 2}
    sample = campaign.sample.select_related("text", "edited")
    assert all(one.edited and one.edited.edit_of_id == one.text_id and one.text.edit_of_id is None for one in sample)
    work(campaign)
    settle(campaign)
    launch(campaign)
    stimulus = campaign.stimuli.filter(role=Role.ITEM).select_related("text").first()
    assert stimulus and stimulus.content["edited"] == f"{stimulus.text.key}-edited {stimulus.text.content}"
    assert stimulus.content["predicted"] == stimulus.text.label
    assert reached(campaign) == [("Texts", "6 texts: 3 “neg” (1 turned by the edit), 3 “pos” (1 turned by the edit).")]


def test_without_edits_there_is_nothing_to_ask(team: Team) -> None:
    campaign = draft(team, protocol="counterfactual_simulation", ks=[])
    with pytest.raises(CampaignError, match="is an edit of another"):
        prepare(campaign, None)


def test_marking_needs_no_map_and_is_ready_at_once(team: Team) -> None:
    campaign = draft(team, protocol="rationale_marking", methods=[], ks=[])
    prepare(campaign, None)
    assert campaign.state == Campaign.State.READY and campaign.run is None
    assert [condition.method for condition in campaign.conditions.all()] == ["full_text"]
    launch(campaign)
    stimulus = campaign.stimuli.filter(role=Role.ITEM).first()
    assert stimulus and stimulus.content["label"] == stimulus.expected and stimulus.explanation is None


def test_one_output_cannot_be_foretold(team: Team) -> None:
    campaign = draft(team, **LEARNING)
    campaign.classifier.label_names = ["neg"]
    campaign.classifier.save()
    with pytest.raises(CampaignError, match="no label for workers"):
        prepare(campaign, None)
