"""What is proposed is not warned of: for every protocol, as it comes."""

from decimal import Decimal

import pytest
from django.conf import LazySettings

from accounts.models import Team
from campaigns.creating import create_campaign, propose_pay
from campaigns.linting import lint
from campaigns.models import Campaign
from campaigns.preparing import prepare, settle
from protocols import PROTOCOLS
from tests.campaigns.actors import edit, work
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
# What the numbers of a design decide; the texts of these tests are alike and nobody is named to write to.
OF_NUMBERS = {"Sample", "Words", "Load", "Pay", "Time for an item", "Breaks", "Practice and known answers"}


def as_proposed(team: Team, protocol: str) -> Campaign:
    dataset, classifier = films(team, {"neg": 20, "pos": 20}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    if PROTOCOLS[protocol].edits:
        for text in list(dataset.texts.all()):
            edit(text, classifier, "pos" if text.label == "neg" else "neg")
    campaign = create_campaign(team, "As it comes", protocol, dataset, classifier)
    prepare(campaign, None)
    if campaign.run:
        work(campaign)
        settle(campaign)
    return campaign


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_wizard_does_not_warn_of_its_own_numbers(team: Team, protocol: str) -> None:
    told = [finding for finding in lint(as_proposed(team, protocol)) if finding.name in OF_NUMBERS]
    assert [finding.text for finding in told if not finding.good] == []


@pytest.mark.parametrize(("least", "examples", "pay"), [(8, 0, "2.00"), (8, 8, "2.40"), (12, 0, "3.00")])
def test_pay_follows_the_time_that_it_takes(settings: LazySettings, least: int, examples: int, pay: str) -> None:
    settings.MINIMUM_HOURLY_PAY = least
    assert propose_pay(40, examples) == Decimal(pay)
