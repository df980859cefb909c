import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.arriving import arrive
from judging.assigning import assign_next
from judging.hearing import sign
from judging.models import Participation, ProlificEvent, ProlificSubmission
from judging.recording import record
from tests.judging.building import live_campaign

SECRET = "the workspace's secret"
URL = "/hooks/prolific/"
State = Participation.State
NOW = int(time.time())


@pytest.fixture(autouse=True)
def secret(settings: Any) -> Iterator[None]:
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    yield


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(team, recruitment="prolific")


def came(campaign: Campaign, session: str = "sub1", state: State = State.PRACTISED) -> Participation:
    """A worker who has judged one item, holds another, and then stands at `state`."""
    participation = arrive(campaign, {"PROLIFIC_PID": "pid1", "STUDY_ID": "s1", "SESSION_ID": session})
    assert participation
    Participation.objects.filter(pk=participation.pk).update(state=State.PRACTISED, started_at="2026-01-01T00:00Z")
    participation.refresh_from_db()
    assignment = assign_next(participation).assignment
    assert assignment
    record(assignment, {"answer": "positive"})
    assign_next(participation)
    Participation.objects.filter(pk=participation.pk).update(state=state)
    participation.refresh_from_db()
    return participation


def told(status: str, at: int = NOW, event: str = "", submission: str = "sub1", **changes: Any) -> tuple[bytes, dict]:  # type: ignore[type-arg]
    said = {"resource_id": submission, "event_type": "submission.status.change", "participant_id": "pid1"}
    body = json.dumps({**said, "status": status, **changes}).encode()
    sent = str(int(time.time()))
    headers = {"X-Event-ID": event or f"{status}-{at}", "X-Timestamp": str(at)}
    signed = {"X-Prolific-Request-Timestamp": sent, "X-Prolific-Request-Signature": sign(SECRET, sent, body)}
    return body, headers | signed


def send(body: bytes, headers: dict[str, str]) -> Any:
    return Client().post(URL, body, content_type="application/json", headers=headers)


def state_of(participation: Participation) -> tuple[str, bool]:
    participation.refresh_from_db()
    return participation.state, participation.excluded_at is not None


def counting(campaign: Campaign) -> int:
    return campaign.places.filter(state=Place.State.FILLED).count()


def held(campaign: Campaign) -> int:
    return campaign.places.filter(state=Place.State.LEASED).count()


@pytest.mark.django_db
def test_it_works(campaign: Campaign) -> None:
    wanda, wanted = came(campaign), campaign.places.count()
    assert (counting(campaign), held(campaign)) == (1, 1)
    response = send(*told("RETURNED"))
    assert response.status_code == 200 and response.content == b"Applied"
    assert state_of(wanda) == ("returned", False)
    assert (counting(campaign), held(campaign)) == (0, 0)
    assert campaign.places.filter(state=Place.State.OPEN).count() == wanted
    row = ProlificSubmission.objects.get()
    assert (row.submission_id, row.status, row.worker_hash) == ("sub1", "RETURNED", wanda.worker_hash)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "state", "then"),
    [
        ("TIMED-OUT", State.PRACTISED, ("timed_out", False)),
        ("RETURNED", State.COMPLETED, ("completed", True)),
        ("TIMED-OUT", State.COMPLETED, ("completed", True)),
        ("REJECTED", State.COMPLETED, ("completed", True)),
        ("REJECTED", State.PRACTISED, ("practised", True)),
    ],
)
def test_places_that_came_free_there_are_opened_here(
    campaign: Campaign, status: str, state: State, then: tuple[str, bool]
) -> None:
    wanda = came(campaign, state=state)
    send(*told(status))
    assert state_of(wanda) == then and counting(campaign) == 0
    wanda.refresh_from_db()
    assert wanda.exclusion_reason == (f"{status.capitalize()} on Prolific" if then[1] else "")


@pytest.mark.django_db
@pytest.mark.parametrize("status", ["RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", "PROCESSING"])
@pytest.mark.parametrize("state", [State.PRACTISED, State.COMPLETED])
def test_what_goes_well_there_changes_nothing_here(campaign: Campaign, status: str, state: State) -> None:
    wanda = came(campaign, state=state)
    send(*told(status))
    assert state_of(wanda) == (state, False) and counting(campaign) == 1


@pytest.mark.django_db
def test_a_message_that_comes_twice_is_one(campaign: Campaign) -> None:
    came(campaign)
    message = told("RETURNED", event="e1")
    assert [send(*message).content for _ in range(3)] == [b"Applied"] * 3
    assert ProlificEvent.objects.count() == 1
    assert campaign.places.filter(state=Place.State.VOID).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_message_that_comes_many_times_at_once_is_one(campaign: Campaign) -> None:
    came(campaign)
    message = told("RETURNED", event="e1")

    def one(_: int) -> int:
        try:
            return int(send(*message).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(one, range(12))) == {200}
    assert ProlificEvent.objects.count() == 1
    assert campaign.places.filter(state=Place.State.VOID).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_in_whatever_order_they_come_the_latest_stands(campaign: Campaign, order: tuple[int, ...]) -> None:
    wanda = came(campaign)
    told_ = [told("ACTIVE", NOW - 60), told("AWAITING REVIEW", NOW - 30), told("RETURNED", NOW)]
    for at in order:
        assert send(*told_[at]).status_code == 200
    assert ProlificSubmission.objects.get().status == "RETURNED"
    assert state_of(wanda) == ("returned", False)


@pytest.mark.django_db
def test_an_old_return_does_not_undo_what_came_after(campaign: Campaign) -> None:
    wanda = came(campaign, state=State.COMPLETED)
    send(*told("APPROVED", NOW))
    assert send(*told("RETURNED", NOW - 60)).content == b"Older than what is known"
    assert state_of(wanda) == ("completed", False) and counting(campaign) == 1


@pytest.mark.django_db
def test_in_one_second_the_later_in_a_submissions_life_wins(campaign: Campaign) -> None:
    came(campaign, state=State.COMPLETED)
    send(*told("APPROVED", NOW))
    send(*told("AWAITING REVIEW", NOW))
    assert ProlificSubmission.objects.get().status == "APPROVED"


@pytest.mark.django_db
def test_a_return_of_an_earlier_visit_does_not_touch_the_later_one(campaign: Campaign) -> None:
    wanda = came(campaign)
    arrive(campaign, {"PROLIFIC_PID": "pid1", "STUDY_ID": "s1", "SESSION_ID": "sub2"})
    send(*told("RETURNED"))
    assert state_of(wanda) == ("practised", False) and counting(campaign) == 1


@pytest.mark.django_db
def test_a_submission_of_nobody_known_is_kept_and_changes_nothing(campaign: Campaign) -> None:
    wanda = came(campaign)
    assert send(*told("RETURNED", submission="sub9")).content == b"Of nobody known here"
    assert send(*told("RETURNED", participant_id="somebody else")).content == b"Of nobody known here"
    assert state_of(wanda) == ("practised", False)
    assert not ProlificSubmission.objects.exists()


@pytest.mark.django_db
def test_the_participants_id_is_stored_nowhere(campaign: Campaign) -> None:
    came(campaign)
    send(*told("ACTIVE"))
    stored = [*ProlificEvent.objects.values(), *ProlificSubmission.objects.values(), *Participation.objects.values()]
    assert "pid1" not in str(stored)


@pytest.mark.django_db
def test_other_kinds_of_message_are_acknowledged(campaign: Campaign) -> None:
    response = send(*told("ACTIVE", event_type="study.status.change"))
    assert response.status_code == 200 and not ProlificEvent.objects.exists()


@pytest.mark.django_db
def test_without_an_event_id_the_content_is_the_key(campaign: Campaign) -> None:
    came(campaign)
    body, headers = told("RETURNED")
    del headers["X-Event-ID"]
    assert send(body, headers).content == send(body, headers).content == b"Applied"
    assert ProlificEvent.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"event_type": "submission.status.change"}',
        b"\xff",
        json.dumps("x").encode(),
        b"[" * 100_000,
        json.dumps(
            {
                "event_type": "submission.status.change",
                "resource_id": "\ud800",
                "participant_id": "p",
                "status": "ACTIVE",
            }
        ).encode(),
    ],
)
def test_a_signed_message_that_is_none_is_refused(body: bytes) -> None:
    sent = str(int(time.time()))
    headers = {"X-Prolific-Request-Timestamp": sent, "X-Prolific-Request-Signature": sign(SECRET, sent, body)}
    assert send(body, headers).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["body", "timestamp", "signature", "missing", "foreign secret", "not text"])
def test_a_message_that_is_not_signed_right_changes_nothing(campaign: Campaign, change: str) -> None:
    wanda = came(campaign)
    body, headers = told("RETURNED")
    match change:
        case "body":
            body = body.replace(b"RETURNED", b"REJECTED")
        case "timestamp":
            headers["X-Prolific-Request-Timestamp"] = str(int(time.time()) + 1)
        case "signature":
            headers["X-Prolific-Request-Signature"] = "AAAA"
        case "missing":
            del headers["X-Prolific-Request-Signature"]
        case "foreign secret":
            sent = headers["X-Prolific-Request-Timestamp"]
            headers["X-Prolific-Request-Signature"] = sign("another", sent, body)
        case "not text":
            headers["X-Prolific-Request-Signature"] = "é"
    assert send(body, headers).status_code == 403
    assert state_of(wanda) == ("practised", False) and not ProlificEvent.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["1", "", "soon", "nan", "1e400", "in an hour"])
def test_a_message_from_another_time_is_refused(sent: str) -> None:
    body, headers = told("RETURNED")
    sent = str(int(time.time()) + 3600) if sent == "in an hour" else sent
    signed = {"X-Prolific-Request-Timestamp": sent, "X-Prolific-Request-Signature": sign(SECRET, sent, body)}
    assert send(body, headers | signed).status_code == 403


@pytest.mark.django_db
def test_milliseconds_are_understood(campaign: Campaign) -> None:
    body, headers = told("ACTIVE")
    sent = str(int(time.time() * 1000))
    signed = {"X-Prolific-Request-Timestamp": sent, "X-Prolific-Request-Signature": sign(SECRET, sent, body)}
    assert send(body, headers | signed).status_code == 200


@pytest.mark.django_db
def test_without_a_secret_nothing_is_believed(settings: Any) -> None:
    body, headers = told("RETURNED")
    settings.PROLIFIC_WEBHOOK_SECRET = ""
    sent = headers["X-Prolific-Request-Timestamp"]
    headers["X-Prolific-Request-Signature"] = sign("", sent, body)
    assert send(body, headers).status_code == 403


def test_the_signature_is_as_prolific_documents_it() -> None:
    """Reckoned by `openssl dgst -sha256 -hmac key -binary | base64` over the time and the body."""
    assert sign("key", "1700000000", b'{"a": 1}') == "QcwEMP4tj9lhI0Rnai8wg7k1C8c1YRRE4/U7/FNktrk="


@pytest.mark.django_db
def test_it_takes_only_post() -> None:
    assert Client().get(URL).status_code == 405
