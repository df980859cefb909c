from decimal import Decimal

import pytest

from accounts.models import Team
from campaigns.creating import NOT_COPIED, copy_campaign, create_campaign, defaults
from campaigns.models import Campaign
from catalogue.methods import PROPOSED, methods_for
from protocols import PROTOCOLS
from tests.campaigns.actors import draft
from tests.materials.actors import films, judge


def test_it_works(team: Team) -> None:
    dataset, classifier = films(team, {"neg": 12, "pos": 12}), judge(team, ["neg", "pos"])
    campaign = create_campaign(team, "Study", "topk_guess", dataset, classifier, judgments_per_stimulus=2)
    assert (campaign.state, campaign.slug, campaign.judgments_per_stimulus) == (Campaign.State.DRAFT, "study", 2)
    assert campaign.methods == [name for name in methods_for("transformer") if name in PROPOSED]
    assert campaign.ks == [2, 3, 5, 10, 20]
    assert (campaign.texts_per_label, campaign.most_per_worker) == (10, 20)
    campaign.full_clean(exclude=["contact", "run", "copied_from", "launched_at", "closed_at", "notices"])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_proposals(team: Team, protocol: str) -> None:
    proposed = defaults(protocol, films(team, {"pos": 3}), judge(team, ["pos"]))
    asked = PROTOCOLS[protocol]
    assert proposed["question"] == asked.default_question and proposed["instructions"] == asked.default_instructions
    assert bool(proposed["ks"]) == asked.needs_k
    assert proposed["pay_per_worker"] == Decimal("2.00")


@pytest.mark.parametrize(("per_label", "most"), [(1, 2), (20, 40), (100, 40)])
def test_a_load_fits_the_sample_and_the_paper(team: Team, per_label: int, most: int) -> None:
    dataset, classifier = films(team, {"neg": 1, "pos": 1}), judge(team, ["neg", "pos"])
    assert defaults("topk_guess", dataset, classifier, per_label)["most_per_worker"] == most


def test_a_dataset_without_labels_is_sized_by_the_classifier(team: Team) -> None:
    dataset, classifier = films(team, {"pos": 1}), judge(team, ["a", "b", "c"])
    dataset.texts.update(label="")
    assert defaults("rating", dataset, classifier, 5)["most_per_worker"] == 15


def test_two_of_one_name_get_two_slugs(team: Team) -> None:
    campaign = draft(team)
    slugs = [copy_campaign(campaign).slug for _ in range(3)]
    assert slugs == [f"copy-of-which-words-matter{end}" for end in ("", "-2", "-3")]


def test_a_copy_of_a_long_name_fits(team: Team) -> None:
    campaign = draft(team)
    campaign.name = "x" * 120
    campaign.save()
    assert len(copy_campaign(campaign).name) == 120


def test_a_copy_takes_all_but_the_history(team: Team) -> None:
    campaign = draft(team, contact="Alice", exit_redirect="https://x.org/", only_correct=True, sample_seed=9)
    copied = copy_campaign(campaign)
    for field in Campaign._meta.concrete_fields:
        if field.name not in NOT_COPIED | {"name"}:
            assert getattr(copied, field.name) == getattr(campaign, field.name), field.name
