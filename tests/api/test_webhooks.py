"""Webhooks by the API."""

from typing import Any

import pytest

from accounts.access import found_team
from accounts.models import Team, User
from tests.api.reaching import Speaker
from webhooks.models import Delivery, Endpoint
from webhooks.registering import MOST_ENDPOINTS
from webhooks.signing import secret_of

pytestmark = pytest.mark.django_db
AT = "/api/v1/webhooks/"
HOOK: dict[str, Any] = {"url": "https://lab.example/hook", "events": ["report.ready"]}


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def test_it_works(speaker: Speaker) -> None:
    made = speaker.post(AT, HOOK)
    row = Endpoint.objects.get()
    assert made.status_code == 201 and made.json()["secret"] == secret_of(row)
    assert made.headers["Location"] == f"{AT}{row.pk}/"
    told = speaker.get(f"{AT}{row.pk}/").json()
    assert "secret" not in told and told["events"] == ["report.ready"]
    assert speaker.get(AT).json()["results"] == [told]
    changed = speaker.ask("PATCH", f"{AT}{row.pk}/", {"events": ["campaign.closed"], "active": False}).json()
    assert (changed["events"], changed["active"], changed["url"]) == (["campaign.closed"], False, HOOK["url"])
    assert speaker.ask("DELETE", f"{AT}{row.pk}/").status_code == 204
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "url", ["http://lab.example/", "https://u:p@lab.example/", "lab", "https://[::1", "https://127.0.0.1/"]
)
def test_an_address_that_leads_nowhere_is_refused(speaker: Speaker, url: str) -> None:
    answer = speaker.post(AT, HOOK | {"url": url})
    assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "/url"
    row = Endpoint.objects.create(team=Team.objects.get(), **HOOK)
    assert speaker.ask("PATCH", f"{AT}{row.pk}/", {"url": url}).status_code == 422
    row.refresh_from_db()
    assert row.url == HOOK["url"]


@pytest.mark.parametrize("said", [{"events": []}, {"events": ["no.such"]}, {"events": "report.ready"}, {"url": 5}])
def test_what_the_schema_does_not_allow_is_refused(speaker: Speaker, said: dict[str, Any]) -> None:
    assert speaker.post(AT, HOOK | said).status_code == 400


def test_a_new_secret_replaces_the_old_one(speaker: Speaker) -> None:
    made = speaker.post(AT, HOOK).json()
    renewed = speaker.post(f"{AT}{made['id']}/secret/").json()
    assert renewed["secret"] != made["secret"] and renewed["secret"] == secret_of(Endpoint.objects.get())


def test_secrets_are_in_no_kept_answer(speaker: Speaker) -> None:
    secrets = {speaker.post(AT, HOOK, Idempotency_Key="k").json()["secret"] for _ in range(2)}
    assert len(secrets) == 2


def test_a_ping_is_logged_and_can_be_sent_again(speaker: Speaker) -> None:
    made = speaker.post(AT, HOOK).json()
    pinged = speaker.post(f"{AT}{made['id']}/ping/").json()
    assert (pinged["event"], pinged["state"], pinged["attempts"]) == ("ping", "waiting", [])
    assert speaker.get(f"{AT}{made['id']}/deliveries/").json()["results"] == [pinged]
    Delivery.objects.update(state=Delivery.State.FAILED)
    again = speaker.post(f"{AT}{made['id']}/deliveries/{pinged['id']}/redeliver/")
    assert again.status_code == 202 and again.json()["state"] == "waiting"


def test_a_team_has_only_so_many(speaker: Speaker, team: Team) -> None:
    Endpoint.objects.bulk_create(Endpoint(team=team, **HOOK) for _ in range(MOST_ENDPOINTS))
    assert speaker.post(AT, HOOK).status_code == 409


def test_who_edits_in_several_teams_says_which(speaker: Speaker, alice: User, charlie: User) -> None:
    other = found_team(alice, "Second lab")
    assert speaker.post(AT, HOOK).status_code == 422
    assert speaker.post(AT, HOOK | {"team": other.pk}).json()["team"] == other.pk
    assert speaker.post(AT, HOOK | {"team": charlie.teams.get().pk}).status_code == 422
