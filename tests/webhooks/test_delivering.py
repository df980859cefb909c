"""From what happens to a message that has arrived, with the worker's part done by hand, attempt by attempt."""

import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Team
from tests.webhooks.receiving import Receiver
from webhooks import delivering
from webhooks.announcing import announce
from webhooks.delivering import MOST_TRIES, deliver, deliver_due, forget_old, pause_after, redeliver
from webhooks.models import Attempt, Delivery, Endpoint
from webhooks.signing import secret_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    """What was put into the queue: nobody takes it out but the tests."""
    tasks: list[list[Any]] = []
    monkeypatch.setattr("webhooks.announcing.current_app.send_task", lambda name, args: tasks.append(args))
    return tasks


def _announced(team: Team, capture: Any, event: str = "report.ready", **payload: Any) -> Delivery:
    with capture(execute=True):
        announce(team, event, payload)
    return Delivery.objects.latest("pk")


def _due(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now() - timedelta(seconds=1))


def test_it_works(
    team: Team, endpoint: Endpoint, receiver: Receiver, queued: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    receiver.answer(200, b"ok")
    delivery = _announced(team, django_capture_on_commit_callbacks, campaign="films")
    assert queued == [[str(delivery.key), 0, False]]
    deliver(*queued[0])
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.DELIVERED
    attempt = delivery.attempts.get()
    assert (attempt.number, attempt.status, attempt.response, attempt.error) == (1, 200, "ok", "")
    (message,) = receiver.got
    said = json.loads(message.body)
    assert (said["id"], said["event"], said["data"]) == (str(delivery.key), "report.ready", {"campaign": "films"})
    assert message.headers["Peekaword-Delivery"] == str(delivery.key)
    stamp, signature = (part.partition("=")[2] for part in message.headers["Peekaword-Signature"].split(","))
    signed = hmac.new(secret_of(endpoint).encode(), f"{stamp}.".encode() + message.body, hashlib.sha256)
    assert signature == signed.hexdigest()


def test_nobody_is_told_of_what_was_taken_back(team: Team, endpoint: Endpoint, queued: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        announce(team, "report.ready", {})
        raise ZeroDivisionError
    assert not Delivery.objects.exists() and queued == []


def test_only_those_who_asked_are_told(
    team: Team, endpoint: Endpoint, charlie: Any, django_assert_num_queries: Any
) -> None:
    Endpoint.objects.create(team=charlie.teams.get(), url="https://x.example", events=["report.ready"])
    Endpoint.objects.create(team=team, url="https://off.example", events=["report.ready"], active=False)
    announce(team, "report.ready", {})
    announce(team, "campaign.closed", {})
    assert [one.endpoint for one in Delivery.objects.all()] == [endpoint]
    with django_assert_num_queries(1):
        announce(team, "campaign.paused", {})


def test_a_subject_is_told_of_once(team: Team, endpoint: Endpoint) -> None:
    for subject in ("7", "7", "8", None, None):
        announce(team, "report.ready", {}, subject)
    assert Delivery.objects.count() == 4


def test_a_failure_is_tried_again_with_the_same_message(
    team: Team, endpoint: Endpoint, receiver: Receiver, queued: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    receiver.answer(500, b"oh")
    delivery = _announced(team, django_capture_on_commit_callbacks)
    deliver(delivery.key, 0)
    delivery.refresh_from_db()
    endpoint.refresh_from_db()
    assert (delivery.state, delivery.tries) == (Delivery.State.WAITING, 1)
    assert 25 < (delivery.due_at - timezone.now()).total_seconds() < 40
    assert endpoint.failing_since
    assert deliver_due() == 0
    _due(delivery)
    queued.clear()
    assert deliver_due() == 1 and queued == [[str(delivery.key), 1, False]]
    deliver(*queued[0])
    delivery.refresh_from_db()
    endpoint.refresh_from_db()
    assert delivery.state == Delivery.State.DELIVERED and endpoint.failing_since is None
    assert receiver.got[0].body == receiver.got[1].body
    assert [attempt.status for attempt in delivery.attempts.all()] == [500, 204]


def test_a_task_that_comes_twice_sends_once(
    team: Team, endpoint: Endpoint, receiver: Receiver, django_capture_on_commit_callbacks: Any
) -> None:
    delivery = _announced(team, django_capture_on_commit_callbacks)
    for _ in range(3):
        deliver(delivery.key, 0)
    assert len(receiver.got) == 1


def test_a_process_that_was_killed_over_an_attempt_loses_nothing(
    team: Team, endpoint: Endpoint, receiver: Receiver, queued: list[Any], monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    delivery = _announced(team, django_capture_on_commit_callbacks)
    monkeypatch.setattr(delivering, "_keep", lambda *_: None)
    deliver(delivery.key, 0)
    monkeypatch.undo()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == (Delivery.State.WAITING, 1)
    deliver(delivery.key, 0)
    assert len(receiver.got) == 1
    _due(delivery)
    assert deliver_due() == 0
    assert [attempt.error for attempt in delivery.attempts.all()] == [delivering.KILLED]
    _due(delivery)
    monkeypatch.setattr("webhooks.announcing.current_app.send_task", lambda name, args: deliver(*args))
    assert deliver_due() == 1
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.DELIVERED
    assert [message.headers["Peekaword-Delivery"] for message in receiver.got] == [str(delivery.key)] * 2


def test_a_message_over_which_every_process_is_killed_is_given_up(
    team: Team, endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(team, "report.ready", {})
    Delivery.objects.update(tries=MOST_TRIES - 1)
    delivery = Delivery.objects.get()
    monkeypatch.setattr(delivering, "_keep", lambda *_: None)
    deliver(delivery.key, MOST_TRIES - 1)
    monkeypatch.undo()
    for _ in range(2):
        _due(delivery)
        assert deliver_due() == 0
    delivery.refresh_from_db()
    endpoint.refresh_from_db()
    assert delivery.state == Delivery.State.FAILED and endpoint.failing_since
    assert [(one.number, one.error) for one in delivery.attempts.all()] == [(MOST_TRIES, delivering.KILLED)]


def test_what_the_queue_has_lost_is_found(team: Team, endpoint: Endpoint, receiver: Receiver) -> None:
    announce(team, "report.ready", {})
    assert deliver_due() == 0
    _due(Delivery.objects.get())
    assert deliver_due() == 1
    assert deliver_due() == 0


def test_pauses_grow_and_are_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webhooks.delivering.random.uniform", lambda low, high: low)
    assert [pause_after(tries) for tries in (1, 2, 3, 20)] == [30, 60, 120, 6 * 3600]
    monkeypatch.setattr("webhooks.delivering.random.uniform", lambda low, high: high)
    assert pause_after(1) == 37.5


def test_it_is_given_up_after_many_tries(team: Team, endpoint: Endpoint, receiver: Receiver) -> None:
    announce(team, "report.ready", {})
    Delivery.objects.update(tries=MOST_TRIES - 1)
    receiver.answer(503)
    delivery = Delivery.objects.get()
    deliver(delivery.key, MOST_TRIES - 1)
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.FAILED


def test_an_endpoint_that_is_gone_is_switched_off_at_once(team: Team, endpoint: Endpoint, receiver: Receiver) -> None:
    announce(team, "report.ready", {})
    receiver.answer(410)
    deliver(Delivery.objects.get().key, 0)
    endpoint.refresh_from_db()
    assert not endpoint.active and endpoint.switched_off_at
    announce(team, "report.ready", {})
    assert Delivery.objects.get().state == Delivery.State.FAILED


def test_an_endpoint_that_fails_for_days_is_switched_off(team: Team, endpoint: Endpoint, receiver: Receiver) -> None:
    announce(team, "report.ready", {})
    Endpoint.objects.update(failing_since=timezone.now() - timedelta(days=2))
    receiver.answer(500, times=2)
    deliver(Delivery.objects.get().key, 0)
    endpoint.refresh_from_db()
    assert endpoint.active
    Endpoint.objects.update(failing_since=timezone.now() - timedelta(days=4))
    deliver(Delivery.objects.get().key, 1)
    endpoint.refresh_from_db()
    assert not endpoint.active and endpoint.switched_off_at


def test_a_failing_endpoint_gets_one_message_at_a_time(
    team: Team, endpoint: Endpoint, receiver: Receiver, queued: list[Any]
) -> None:
    for _ in range(3):
        announce(team, "report.ready", {})
    oldest, *others = Delivery.objects.order_by("pk")
    receiver.answer(500)
    deliver(oldest.key, 0)
    for one in others:
        deliver(one.key, 0)
    assert len(receiver.got) == 1
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    queued.clear()
    assert deliver_due() == 1
    deliver(*queued.pop())
    assert deliver_due() == 2
    for task in queued:
        deliver(*task)
    assert len(receiver.got) == 4
    assert set(Delivery.objects.values_list("state", flat=True)) == {Delivery.State.DELIVERED}


def test_a_new_message_to_a_failing_endpoint_waits_for_the_old_ones(
    team: Team, endpoint: Endpoint, queued: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    Endpoint.objects.update(failing_since=timezone.now())
    _announced(team, django_capture_on_commit_callbacks)
    assert queued == []
    assert deliver_due() == 1


def test_one_that_is_asked_for_is_sent_whatever_became_of_it(
    team: Team, endpoint: Endpoint, receiver: Receiver, queued: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    delivery = _announced(team, django_capture_on_commit_callbacks)
    deliver(delivery.key, 0)
    Endpoint.objects.update(active=False, failing_since=timezone.now())
    queued.clear()
    with django_capture_on_commit_callbacks(execute=True):
        redeliver(delivery)
    assert queued == [[str(delivery.key), 1, True]]
    deliver(*queued[0])
    delivery.refresh_from_db()
    assert delivery.state == Delivery.State.DELIVERED and len(receiver.got) == 2


def test_old_ones_are_forgotten_with_their_log(team: Team, endpoint: Endpoint, receiver: Receiver) -> None:
    for _ in range(2):
        announce(team, "report.ready", {})
    old, kept = Delivery.objects.order_by("pk")
    deliver(old.key, 0)
    Delivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    assert forget_old() == 1
    assert Delivery.objects.get() == kept and not Attempt.objects.exists()


def test_a_queue_that_is_away_takes_nothing_away(
    team: Team, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(name: str, args: list[Any]) -> None:
        raise OperationalError("away")

    monkeypatch.setattr("webhooks.announcing.current_app.send_task", away)
    delivery = _announced(team, django_capture_on_commit_callbacks)
    assert delivery.state == Delivery.State.WAITING
