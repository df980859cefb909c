"""The wizard's section of what only one protocol asks."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Classifier, Dataset
from protocols import PROTOCOLS
from tests.campaigns.test_campaign_new import answers
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
WITH_SETTINGS = [name for name, one in PROTOCOLS.items() if one.settings and not one.edits]


@pytest.fixture
def materials(team: Team) -> tuple[Dataset, Classifier]:
    dataset, classifier = films(team, {"neg": 14, "pos": 14}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return dataset, classifier


def sent(user: User, materials: tuple[Dataset, Classifier], **changes: Any) -> str:
    values = answers(*materials, displays=["colour"], **changes)
    return signed_in(user).post(reverse("campaign_new"), values).content.decode()


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_the_wizard_asks_them_with_their_defaults(
    alice: User, materials: tuple[Dataset, Classifier], name: str
) -> None:
    dataset, classifier = materials
    query = {"protocol": name, "dataset": dataset.slug, "classifier": classifier.slug}
    page = signed_in(alice).get(reverse("campaign_new"), query).content.decode()
    for field in PROTOCOLS[name].complete_settings({}):
        assert f'name="protocol-{field}"' in page
    assert "The task" in page


def test_what_is_chosen_is_kept(alice: User, materials: tuple[Dataset, Classifier]) -> None:
    chosen = {"protocol-scale": "seven", "protocol-beside": ["useful"], "protocol-own": "How fluent? | Not | Very"}
    sent(alice, materials, protocol="rating", **chosen)
    kept = Campaign.objects.get().protocol_settings
    assert kept["scale"] == "seven" and kept["beside"] == ["useful"] and kept["own"] == [["How fluent?", "Not", "Very"]]
    assert kept["low"] == "Not at all"


def test_a_choice_that_cannot_be_is_told_beside_its_field(alice: User, materials: tuple[Dataset, Classifier]) -> None:
    page = sent(alice, materials, protocol="rating", **{"protocol-scale": "slider", "protocol-middle": "none"})
    assert "A slider always has a middle" in page and not Campaign.objects.exists()


def test_a_draft_shows_what_was_chosen(alice: User, materials: tuple[Dataset, Classifier]) -> None:
    sent(alice, materials, protocol="reveal", **{"protocol-first": "4", "protocol-mask": "runs"})
    campaign = Campaign.objects.get()
    page = signed_in(alice).get(reverse("campaign_edit", args=[campaign.slug])).content.decode()
    assert 'name="protocol-first" value="4"' in page and campaign.protocol_settings["mask"] == "runs"
