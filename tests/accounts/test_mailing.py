from typing import Any

import pytest
from celery import current_app
from django.core import mail
from django.db import transaction
from kombu.exceptions import OperationalError

from accounts import mailing
from accounts.mailing import TASK
from accounts.tasks import send_mail

QUEUED = "accounts.mailing.QueuedBackend"


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[tuple[str, dict[str, Any]]]:
    asked: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, kwargs: asked.append((name, kwargs)))
    settings.EMAIL_BACKEND = QUEUED
    return asked


@pytest.mark.django_db(transaction=True)
def test_it_works(queue: list[tuple[str, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction.atomic():
        assert mail.send_mail("Hello", "Follow this", "from@example.org", ["to@example.org"]) == 1
        assert queue == []
    ((name, parts),) = queue
    assert name == TASK
    monkeypatch.setattr(mailing, "SMTP", "django.core.mail.backends.locmem.EmailBackend")
    send_mail(**parts)
    (sent,) = mail.outbox
    assert (sent.subject, sent.body, sent.from_email, sent.to) == (
        "Hello", "Follow this", "from@example.org", ["to@example.org"],
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_what_did_not_happen_is_not_told(queue: list[tuple[str, dict[str, Any]]]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        mail.send_mail("Hello", "Follow this", None, ["to@example.org"])
        raise ZeroDivisionError
    assert queue == []


@pytest.mark.django_db(transaction=True)
def test_a_queue_that_is_away_breaks_no_page(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_BACKEND = QUEUED

    def refuse(name: str, kwargs: dict[str, Any]) -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", refuse)
    assert mail.send_mail("Hello", "Follow this", None, ["to@example.org"]) == 1
