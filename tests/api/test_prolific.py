"""A study on Prolific by the API, against a real HTTP server that plays Prolific."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign
from judging.models import BonusPayment, Participation
from tests.api.reaching import Speaker
from tests.judging.building import CODE, live_campaign
from tests.judging.test_recruiting import came
from tests.recruitment.prolific_server import TOKEN, PlayedProlific, play_prolific

STUDY = "60f25f799fbd8a136cc6a9b0"
State = Participation.State


@pytest.fixture
def prolific(settings: Any) -> Iterator[PlayedProlific]:
    with play_prolific() as played:
        settings.PROLIFIC_API_URL, settings.PROLIFIC_API_TOKEN = played.url, TOKEN
        played.add_study(STUDY)
        yield played


@pytest.fixture
def campaign(team: Team, prolific: PlayedProlific) -> Campaign:
    exits = {"declined": {"code": "NO1", "redirect": "", "message": ""}}
    return live_campaign(team, recruitment="prolific", exit_redirect="", exits=exits, pay_per_worker="2.50")


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def _at(campaign: Campaign, more: str) -> str:
    return f"/api/v1/campaigns/{campaign.slug}/{more}"


@pytest.mark.django_db
def test_it_works(speaker: Speaker, campaign: Campaign, prolific: PlayedProlific) -> None:
    assert speaker.get(_at(campaign, "study/")).status_code == 404
    assert speaker.post(_at(campaign, "submissions/read/")).json()["detail"] == "Link the study on Prolific first."
    linked = speaker.post(_at(campaign, "study/"), {"study": STUDY})
    assert linked.status_code == 201 and linked.json()["study_id"] == STUDY
    assert (linked.json()["status"], linked.json()["places"], linked.json()["taken"]) == ("ACTIVE", 10, 4)
    assert speaker.post(_at(campaign, "study/"), {"study": STUDY}).status_code == 409
    came(campaign, 1, State.COMPLETED)
    came(campaign, 2, State.SCREENED_OUT)
    for number in (1, 2):
        prolific.add_submission(f"sub{number}", f"pid{number}", "AWAITING REVIEW", entered_code=CODE, study=STUDY)
    assert speaker.post(_at(campaign, "submissions/read/")).json() == {"done": 2}
    rows = speaker.get(_at(campaign, "submissions/")).json()["results"]
    assert [(row["submission_id"], row["status"]) for row in rows] == [
        ("sub1", "AWAITING REVIEW"), ("sub2", "AWAITING REVIEW"),
    ]  # fmt: skip
    assert speaker.post(_at(campaign, "submissions/returns/")).json() == {"done": 1, "left": 0}
    assert speaker.post(_at(campaign, "participants/approve/")).json() == {"done": 1}
    assert prolific.submissions["sub1"]["status"] == "APPROVED"
    assert speaker.post(_at(campaign, "study/places/"), {"more": 5}).json()["places"] == 15
    acts = list(AuditEntry.objects.values_list("act", flat=True))
    assert acts.count("recruited") == 4 and acts.count("approved") == 1


@pytest.mark.django_db
def test_a_draft_is_made_there(speaker: Speaker, campaign: Campaign, prolific: PlayedProlific) -> None:
    asked = {"name": "Judge films", "description": "Ten minutes", "places": 7}
    made = speaker.post(_at(campaign, "study/draft/"), asked).json()
    assert (made["study_id"], made["status"], made["places"]) == ("new", "UNPUBLISHED", 7)
    assert prolific.studies["new"]["external_study_url"].startswith("http://testserver/w/")


@pytest.mark.django_db
def test_bonuses_are_set_up_and_paid_once(speaker: Speaker, campaign: Campaign, prolific: PlayedProlific) -> None:
    speaker.post(_at(campaign, "study/"), {"study": STUDY})
    prolific.add_submission("sub1", "pid1", "APPROVED", study=STUDY)
    wrong = speaker.post(_at(campaign, "bonuses/"), {"amounts": {"a, 1\nb": "1.50"}})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/amounts")
    made = speaker.post(_at(campaign, "bonuses/"), {"amounts": {"sub1": "1.50"}})
    payment = made.json()
    assert (made.status_code, payment["amounts"], payment["state"]) == (201, {"sub1": "1.50"}, "set_up")
    paid = speaker.post(_at(campaign, f"bonuses/{payment['id']}/pay/")).json()
    assert paid["state"] == "sent" and prolific.paid == [payment["reference"]]
    assert speaker.post(_at(campaign, f"bonuses/{payment['id']}/pay/")).status_code == 409
    assert prolific.paid == [payment["reference"]]
    assert speaker.get(_at(campaign, "bonuses/")).json()["results"] == [paid]
    assert speaker.get(_at(campaign, "bonuses/owed/")).json() == {"owed": {}}


@pytest.mark.django_db(transaction=True)
def test_a_payment_whose_answer_is_lost_is_never_sent_again(
    speaker: Speaker, campaign: Campaign, prolific: PlayedProlific
) -> None:
    """Though the request fails, what it wrote before it paid stays written."""
    speaker.post(_at(campaign, "study/"), {"study": STUDY})
    prolific.add_submission("sub1", "pid1", "APPROVED", study=STUDY)
    payment = speaker.post(_at(campaign, "bonuses/"), {"amounts": {"sub1": "1.50"}}).json()["id"]
    prolific.fail(0)
    lost = speaker.post(_at(campaign, f"bonuses/{payment}/pay/"))
    assert lost.status_code == 409 and "Prolific's own pages tell" in lost.json()["detail"]
    assert BonusPayment.objects.get().state == "unsure"
    assert "sent already" in speaker.post(_at(campaign, f"bonuses/{payment}/pay/")).json()["detail"]
    assert prolific.paid == []
