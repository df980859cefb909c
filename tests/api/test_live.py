"""How a campaign goes, and the report of a part of it."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from reports.aggregating import report_of
from reports.filtering import Asked
from reports.watching import watch
from tests.api.reaching import Speaker, conforms
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


def _report(user: User, campaign: Campaign, asked: str) -> Any:
    return Speaker(user).get(f"/api/v1/campaigns/{campaign.slug}/report/json/?{asked}")


def test_it_works(campaign: Campaign, bob: User) -> None:
    answer = Speaker(bob).get(f"/api/v1/campaigns/{campaign.slug}/live/")
    conforms("GET /api/v1/campaigns/{slug}/live/", answer)
    found = watch(campaign)
    assert answer.json() == json.loads(json.dumps(asdict(found))) | {"hours_left": found.hours_left}
    assert answer.json()["arms"] and answer.json()["done"] > 0


def test_a_part_has_a_report_of_its_own(campaign: Campaign, bob: User) -> None:
    told = _report(bob, campaign, "method=integrated_gradients&label=pos").json()
    wanted = report_of(campaign, Asked(("integrated_gradients",), "pos"))
    assert told == json.loads(json.dumps(wanted.report))
    assert [one["method"] for one in told["methods"]] == ["integrated_gradients"]


@pytest.mark.parametrize("asked", ["method=none", "label=none", "language=xx", "output=odd", "excluded=in"])
def test_there_is_no_report_of_what_is_not_there(campaign: Campaign, bob: User, asked: str) -> None:
    answer = _report(bob, campaign, asked)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"].startswith(f"/{asked.split('=')[0]}")
