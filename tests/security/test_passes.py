"""A worker's pass opens one participation and nothing else, cannot be guessed, and is told to nobody."""

import logging
import re
from base64 import urlsafe_b64decode
from typing import Any
from unittest.mock import patch

import pytest
from django.core import signing
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from judging import inviting, pages
from judging.assigning import assign_next
from judging.erasing import erase
from judging.models import Judgment, Participation
from judging.tokens import token_of
from operations.lines import Json, Words
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker
from tests.judging.test_mischief import PAGES
from tests.judging.walking import page_of, text_of

pytestmark = pytest.mark.django_db
SECRET = "marmotworthillside"


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(team)


@pytest.fixture
def wanda(campaign: Campaign) -> Participation:
    return worker(campaign)


@pytest.mark.parametrize("page", PAGES)
def test_it_opens_nothing_in_another_campaign(client: Client, team: Team, wanda: Participation, page: str) -> None:
    live_campaign(team, slug="other")
    where = reverse(f"worker_{page}", args=["other", token_of(wanda)])
    assert client.get(where).status_code == client.post(where, {"choice": "agree"}).status_code == 404
    assert wanda.campaign.name not in text_of(client.get(where))


def test_a_signature_is_good_for_its_own_number_alone(client: Client, wanda: Participation) -> None:
    bert = worker(wanda.campaign, "bert")
    number, signature = token_of(wanda).split(".")
    others = [
        f"{bert.pk}.{signature}", f"{number}.", f".{signature}", number, f"0{number}.{signature}",
        f"{number}.{signature[:-1]}", f"{number}.{signature}A", f" {number}.{signature}", f"+{number}.{signature}",
        Signer(salt="another", sep=".").sign(number), Signer(sep=".").sign(number), "1" * 5000, "\u0661.x", "%00", "..",
    ]  # fmt: skip
    for token in others:
        response = client.get(reverse("worker_page", args=[wanda.campaign.slug, token]))
        assert response.status_code == 404, token


def test_it_cannot_be_guessed(wanda: Participation) -> None:
    signature = token_of(wanda).split(".")[1]
    assert len(urlsafe_b64decode(signature + "=")) * 8 == 256
    assert inviting.TICKET_BYTES * 8 == 144


def test_it_is_compared_in_the_same_time_however_much_of_it_is_right(client: Client, wanda: Participation) -> None:
    with patch.object(signing, "constant_time_compare", return_value=False) as compare:
        client.get(reverse("worker_page", args=[wanda.campaign.slug, token_of(wanda)]))
    assert compare.call_count == 1


def test_invitations_are_known_by_their_hash_alone(campaign: Campaign) -> None:
    ((_, ticket),) = inviting.invite(campaign, 1)
    kept = campaign.invitations.values().get()
    assert ticket not in str(kept) and kept["ticket_hash"] == inviting.hash_of(ticket)


def test_an_item_in_anothers_hands_is_not_answered(client: Client, wanda: Participation) -> None:
    held = assign_next(worker(wanda.campaign, "bert")).assignment
    client.post(page_of(wanda), {"assignment": held, "answer": "positive"})
    client.post(page_of(wanda, "worker_warning"), {"assignment": held, "choice": "skip"})
    assert client.post(page_of(wanda, "worker_time"), {"assignment": held}).json() == {"seconds": 0}
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("page", PAGES)
def test_an_erased_workers_pass_shows_and_changes_nothing(client: Client, wanda: Participation, page: str) -> None:
    Participation.objects.filter(pk=wanda.pk).update(answers={"after": [SECRET]}, parameters={"SESSION_ID": SECRET})
    wanda.refresh_from_db()
    erase(wanda)
    before = Participation.objects.values().get(pk=wanda.pk)
    response = client.post(page_of(wanda, f"worker_{page}"), {"choice": "agree", "assignment": 1}, follow=True)
    assert SECRET not in text_of(response)
    after = Participation.objects.values().get(pk=wanda.pk)
    assert after == before | {"language": after["language"]}


def test_it_stands_in_no_file(alice: User, campaign: Campaign, wanda: Participation) -> None:
    token, here = token_of(wanda), f"/campaigns/{campaign.slug}/"
    turn = assign_next(wanda)
    held = wanda.assignments.get(pk=turn.assignment or 0)
    Judgment.objects.create(assignment=held, place=held.place, answer={"answer": "positive"}, position=1)
    client = signed_in(alice)
    for name in ("participants/", "participants/participants.csv", "participants/pay.csv", "report/judgments.csv",
                 "judgments/", f"judgments/{Judgment.objects.get().pk}/", "live/"):  # fmt: skip
        response: Any = client.get(here + name)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        assert response.status_code == 200 and token.encode() not in body, name
        assert token.split(".")[1].encode() not in body, name


def test_it_stands_in_no_log_not_even_of_a_fault(
    wanda: Participation, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ValueError(f"at {page_of(wanda)}?PROLIFIC_PID={SECRET}")

    monkeypatch.setattr(pages, "current", fail)
    client = Client(raise_request_exception=False)
    with caplog.at_level(logging.DEBUG):
        assert client.get(page_of(wanda), {"PROLIFIC_PID": SECRET}).status_code == 500
        client.get(f"/w/films/{token_of(wanda)}0/", {"PROLIFIC_PID": SECRET})
    assert re.search("Internal Server Error", caplog.text)
    for formatter in (Words("%(message)s"), Json()):
        lines = "\n".join(formatter.format(record) for record in caplog.records if record.name != "django.db.backends")
        assert "Internal Server Error: /w/films/" in lines
        assert token_of(wanda) not in lines and SECRET not in lines
