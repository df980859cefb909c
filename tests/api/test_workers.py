"""Recruitment and participants by the API."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign, Place
from judging.models import Participation
from tests.api.reaching import Speaker
from tests.judging.building import live_campaign
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def _at(campaign: Campaign, more: str) -> str:
    return f"/api/v1/campaigns/{campaign.slug}/{more}"


def test_it_works(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    page = speaker.get(_at(campaign, "participants/?page_size=4")).json()
    assert len(page["results"]) == 4 and page["next"]
    numbers = [row["number"] for row in page["results"]]
    assert numbers == sorted(numbers, reverse=True)
    rest = speaker.get(page["next"]).json()["results"]
    assert not set(numbers) & {row["number"] for row in rest}
    one = speaker.get(_at(campaign, f"participants/{numbers[0]}/")).json()
    assert one == page["results"][0] and one["worker"] == f"w{one['number']}"
    hashes = Participation.objects.values_list("worker_hash", flat=True)
    assert not any(len(each) > 20 and each in json.dumps(page) for each in hashes)


def test_a_worker_is_excluded_with_a_reason_and_taken_back(speaker: Speaker, team: Team, alice: User) -> None:
    campaign = judged_campaign(team)
    filled = campaign.places.filter(state=Place.State.FILLED)
    before, worker = filled.count(), filled.first().judgment.assignment.participation  # type: ignore[union-attr]
    told = speaker.post(_at(campaign, f"participants/{worker.pk}/exclude/"), {"reason": "Answered at random"}).json()
    assert told["exclusion_reason"] == "Answered at random" and told["excluded_at"]
    assert filled.count() < before
    worker.refresh_from_db()
    assert worker.excluded_by == alice
    assert speaker.post(_at(campaign, f"participants/{worker.pk}/readmit/")).json()["excluded_at"] is None
    assert filled.count() == before
    assert [entry.act for entry in AuditEntry.objects.order_by("pk")][-2:] == ["excluded", "readmitted"]


def test_a_reason_has_to_be_given(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    worker = campaign.participations.first()
    assert worker
    for body in ({}, {"reason": " "}, {"reason": "x" * 301}, {"reason": 5}):
        assert speaker.post(_at(campaign, f"participants/{worker.pk}/exclude/"), body).status_code == 400
    worker.refresh_from_db()
    assert worker.excluded_at is None


def test_another_campaign_s_worker_is_not_found(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    other = Campaign.objects.create(
        team=team, name="Other", slug="other", protocol="topk_guess", methods=[], dataset=campaign.dataset,
        classifier=campaign.classifier,
    )  # fmt: skip
    worker = campaign.participations.first()
    assert worker
    assert speaker.get(_at(other, f"participants/{worker.pk}/")).status_code == 404
    assert speaker.post(_at(other, f"participants/{worker.pk}/exclude/"), {"reason": "a"}).status_code == 404
    assert speaker.get(_at(campaign, "participants/999999999999999999/")).status_code == 404


def test_participants_are_narrowed_by_state(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    worker = campaign.participations.earliest("pk")
    Participation.objects.filter(pk=worker.pk).update(state=Participation.State.RETURNED)
    found = speaker.get(_at(campaign, "participants/?state=returned")).json()["results"]
    assert [row["number"] for row in found] == [worker.pk]
    assert speaker.get(_at(campaign, "participants/?state=bored")).status_code == 400


def test_pay_is_told_of_those_who_completed(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    Participation.objects.update(state=Participation.State.PRACTISED)
    worker = campaign.participations.earliest("pk")
    ended = {"state": Participation.State.COMPLETED, "finished_at": timezone.now(), "parameters": {"SESSION_ID": "s1"}}
    Participation.objects.filter(pk=worker.pk).update(**ended)
    (row,) = speaker.get(_at(campaign, "pay/")).json()
    assert (row["worker"], row["reference"]) == (f"w{worker.pk}", "s1") and row["pay"] and row["top_up"]
    assert AuditEntry.objects.latest("pk").act == "pay_file"


def test_invitations_let_one_person_in_each(speaker: Speaker, team: Team, client: Client) -> None:
    campaign = live_campaign(team, recruitment="invitation")
    made = speaker.post(_at(campaign, "invitations/"), {"count": 2}).json()["invitations"]
    assert [one["number"] for one in made] == [1, 2]
    assert client.get(made[0]["link"]).status_code in (200, 302)
    assert speaker.ask("DELETE", _at(campaign, "invitations/2/")).status_code == 204
    assert speaker.ask("DELETE", _at(campaign, "invitations/2/")).status_code == 409
    assert speaker.ask("DELETE", _at(campaign, "invitations/9/")).status_code == 404
    listed = speaker.get(_at(campaign, "invitations/")).json()["results"]
    assert [one["state"] for one in listed][1] == "revoked"
    assert not any("link" in one for one in listed)
    assert speaker.post(_at(campaign, "invitations/"), {"count": 100_000}).status_code == 400


def test_links_are_in_no_kept_answer(speaker: Speaker, team: Team) -> None:
    campaign = live_campaign(team, recruitment="invitation")
    answers = [speaker.post(_at(campaign, "invitations/"), {"count": 1}, Idempotency_Key="k") for _ in range(2)]
    assert [answer.json()["invitations"][0]["number"] for answer in answers] == [1, 2]


def test_recruitment_tells_the_link_and_what_is_lacking(speaker: Speaker, team: Team) -> None:
    campaign = live_campaign(team)
    told = speaker.get(_at(campaign, "recruitment/")).json()
    assert told["link"].startswith(f"http://testserver/w/{campaign.slug}/")
    assert told["wanted"] == told["open"] == campaign.places.count() and told["filled"] == 0


def test_prolific_is_asked_only_where_a_study_is_linked(speaker: Speaker, team: Team) -> None:
    answer = speaker.post(_at(live_campaign(team), "participants/approve/"))
    assert answer.status_code == 409 and answer.json()["detail"] == "Link the study on Prolific first."


def test_analysts_see_nothing_of_workers(bob: User, team: Team) -> None:
    campaign, analyst = judged_campaign(team), Speaker(bob)
    for part in ("participants/", "pay/", "recruitment/", "invitations/"):
        answer: Any = analyst.get(_at(campaign, part))
        assert answer.status_code == 403 and "analysts do not see" in answer.json()["detail"]


def test_analysts_get_campaigns_without_the_codes_that_are_paid_for(speaker: Speaker, bob: User, team: Team) -> None:
    campaign = live_campaign(team, exits={"screened_out": {"code": "SCREENED-9X", "redirect": "", "message": ""}})
    whole, told = speaker.get(_at(campaign, "")).json(), Speaker(bob).get(_at(campaign, "")).json()
    assert whole["completion_code"] and whole["exits"] and whole["exit_redirect"]
    assert told == {**whole, "completion_code": "", "exits": {}, "exit_redirect": ""}
    assert Speaker(bob).get("/api/v1/campaigns/").json()["results"] == [told]


def test_class_codes_are_listed_and_taken_back(speaker: Speaker, team: Team) -> None:
    campaign = live_campaign(team, recruitment="class_code")
    code = speaker.post(_at(campaign, "codes/"), {"uses": 30}).json()["code"]
    (listed,) = speaker.get(_at(campaign, "codes/")).json()["results"]
    assert (listed["code"], listed["uses"], listed["used"]) == (code, 30, 0)
    assert speaker.ask("DELETE", _at(campaign, f"codes/{code}/")).status_code == 204
    assert speaker.ask("DELETE", _at(campaign, f"codes/{code}/")).status_code == 409
    assert speaker.ask("DELETE", _at(campaign, "codes/NONE/")).status_code == 404


def test_whom_to_approve_is_told_by_the_recruiter_s_reference(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    Participation.objects.update(state=Participation.State.PRACTISED)
    worker = campaign.participations.earliest("pk")
    ended = {"state": Participation.State.COMPLETED, "finished_at": timezone.now(), "parameters": {"SESSION_ID": "s1"}}
    Participation.objects.filter(pk=worker.pk).update(**ended)
    told = speaker.get(_at(campaign, "settlement/approve/")).json()
    assert told["columns"][1] == "worker" and told["rows"] == [["s1", f"w{worker.pk}"]]
    assert speaker.get(_at(campaign, "settlement/reject/")).status_code == 404


def test_a_campaign_that_is_over_is_removed_by_its_name(speaker: Speaker, team: Team) -> None:
    campaign = judged_campaign(team)
    assert speaker.post(_at(campaign, "remove/"), {"name": "Another"}).status_code == 422
    assert speaker.post(_at(campaign, "remove/"), {"name": campaign.name}).status_code == 409
    Campaign.objects.update(state=Campaign.State.CLOSED, closed_at=timezone.now())
    assert speaker.post(_at(campaign, "remove/"), {"name": campaign.name}).status_code == 204
    assert not Campaign.objects.exists() and not Participation.objects.exists()
