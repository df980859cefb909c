"""Marks of a campaign become rationales, by the API."""

from typing import Any

import pytest

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign
from tests.api.reaching import Speaker, conforms
from tests.reports.campaigns import judged_campaign
from tests.reports.test_taking_rationales import marked, rationales

pytestmark = pytest.mark.django_db


def _at(campaign: Campaign) -> str:
    return f"/api/v1/campaigns/{campaign.slug}/rationales/"


def test_it_works(team: Team, eve: User) -> None:
    campaign = marked(team, {0, 1}, {0})
    speaker = Speaker(eve)
    answer = speaker.get(f"{_at(campaign)}?percent=60")
    conforms("GET /api/v1/campaigns/{slug}/rationales/", answer)
    assert answer.json() == {"texts": 6, "empty": 0, "short": 0, "least": 2, "replaced": []}
    taken = speaker.post(_at(campaign), {"percent": 60})
    conforms("POST /api/v1/campaigns/{slug}/rationales/", taken)
    assert taken.json() == {"texts": 6}
    assert all(spans == [[0, 3, 1.0]] for spans in rationales(campaign).values()), "the second word had half of them"
    assert AuditEntry.objects.get(act="rationales_taken").detail == {"texts": 6}


def test_other_rationales_go_only_if_that_is_said(team: Team, eve: User) -> None:
    campaign = marked(team, {0, 1}, {0})
    campaign.dataset.texts.update(rationale=[[1, 2]])
    speaker = Speaker(eve)
    assert len(speaker.get(_at(campaign)).json()["replaced"]) == 6
    answer = speaker.post(_at(campaign), {})
    assert answer.status_code == 409 and "other rationales" in answer.json()["detail"]
    assert speaker.post(_at(campaign), {"overwrite": True}).json() == {"texts": 6}


def test_too_few_marks_are_none(team: Team, eve: User) -> None:
    campaign = marked(team, {0})
    assert Speaker(eve).get(_at(campaign)).json()["short"] == 6
    assert Speaker(eve).post(_at(campaign), {}).status_code == 409
    assert Speaker(eve).post(_at(campaign), {"least": 1}).json() == {"texts": 6}


@pytest.mark.parametrize("wrong", [{"percent": 0}, {"percent": "50"}, {"least": 101}, {"overwrite": 1}])
def test_what_makes_no_sense_is_told(team: Team, eve: User, wrong: dict[str, Any]) -> None:
    assert Speaker(eve).post(_at(marked(team, {0})), wrong).status_code == 400


def test_where_nothing_is_marked_there_is_nothing(team: Team, eve: User, bob: User, charlie: User) -> None:
    campaign = judged_campaign(team)
    assert [Speaker(one).get(_at(campaign)).status_code for one in (eve, bob, charlie)] == [404, 403, 404]
