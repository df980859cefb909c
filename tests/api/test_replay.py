"""A judgment as it was seen and answered, by the API."""

from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from judging.models import Judgment
from reports.replaying import find_judgment
from reports.replaying_api import OF_THE_WORKER, replay
from tests.api.reaching import Speaker, conforms
from tests.reports.campaigns import judged_campaign
from tests.reports.test_replay_page import ANSWERS, judged

pytestmark = pytest.mark.django_db
PATH = "GET /api/v1/campaigns/{slug}/judgments/{number}/"


def _replayed(user: User, campaign: Campaign, number: int) -> Any:
    return Speaker(user).get(f"/api/v1/campaigns/{campaign.slug}/judgments/{number}/")


@pytest.mark.parametrize("protocol", ANSWERS)
def test_it_works(team: Team, eve: User, protocol: str) -> None:
    campaign, judgment = judged(team, protocol)
    answer = _replayed(eve, campaign, judgment.pk)
    conforms(PATH, answer)
    told, stimulus = answer.json(), judgment.assignment.stimulus
    assert told["content"] == stimulus.content and told["presentation"] == judgment.presentation
    assert (told["given"], told["text"], told["expected"]) == (judgment.answer, stimulus.text.key, stimulus.expected)
    assert (told["worker"], told["position"], told["seconds"]) == (
        f"w{judgment.assignment.participation.number}",
        1,
        8.4,
    )
    assert told["screen"]["told"] and told["language"] and told["counts"] and not told["simulated"]


def test_analysts_are_told_nothing_of_the_worker(team: Team, eve: User, bob: User) -> None:
    campaign, judgment = judged(team)
    answer = _replayed(bob, campaign, judgment.pk)
    conforms(PATH, answer)
    told, all_of_it = answer.json(), _replayed(eve, campaign, judgment.pk).json()
    assert {name: told[name] for name in OF_THE_WORKER} == dict.fromkeys(OF_THE_WORKER)
    assert told == all_of_it | dict.fromkeys(OF_THE_WORKER)


def test_the_list_says_what_to_ask_for(team: Team, bob: User) -> None:
    campaign, judgment = judged(team, "rating")
    listed = Speaker(bob).get(f"/api/v1/campaigns/{campaign.slug}/judgments/?page_size=3").json()["results"]
    assert [one["id"] for one in listed] == [judgment.pk]
    told = _replayed(bob, campaign, listed[0]["id"]).json()
    assert (told["text"], told["score"]) == (listed[0]["text_id"], listed[0]["score"])


def test_the_list_is_narrowed_as_on_the_page(team: Team, bob: User) -> None:
    campaign = judged_campaign(team)
    speaker, at = Speaker(bob), f"/api/v1/campaigns/{campaign.slug}/judgments/"
    rows = speaker.get(at).json()["results"]
    worker, text = rows[0]["worker"], rows[0]["text_id"]
    for asked, wanted in (
        (f"?worker={worker}", [one for one in rows if one["worker"] == worker]),
        (f"?text={text}", [one for one in rows if one["text_id"] == text]),
        (
            f"?text={text}&worker={worker[1:]}",
            [one for one in rows if (one["text_id"], one["worker"]) == (text, worker)],
        ),
    ):
        assert speaker.get(at + asked).json()["results"] == wanted != rows
    assert speaker.get(f"{at}?worker=nobody").status_code == 404


def test_of_what_was_judged_elsewhere_only_the_answer_is_known(team: Team, eve: User) -> None:
    campaign = judged_campaign(team)
    campaign.imported = {"level": "nominal", "verdicts": False}
    told = replay(campaign, find_judgment(campaign, Judgment.objects.latest("pk").pk), supervised=True)
    assert (told["content"], told["presentation"], told["screen"]) == (None, None, None) and told["given"]


def test_judgments_of_others_are_not_known(team: Team, eve: User, charlie: User) -> None:
    campaign, judgment = judged(team)
    assert _replayed(charlie, campaign, judgment.pk).status_code == 404
    assert _replayed(eve, campaign, judgment.pk + 99).status_code == 404
