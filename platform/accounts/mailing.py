"""Mail is sent by worker processes: a page takes as long for an address that is known as for one that is not."""

import logging
from collections.abc import Sequence
from typing import Any

from celery import current_app
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from kombu.exceptions import OperationalError

TASK = "accounts.send_mail"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
logger = logging.getLogger(__name__)


class QueuedBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Once what it tells of has been committed."""
        for message in email_messages:
            parts = {"subject": message.subject, "body": message.body, "to": message.to, "sender": message.from_email}
            transaction.on_commit(lambda parts=parts: _enqueue(parts))  # type: ignore[misc]
        return len(email_messages)


def send(subject: str, body: str, to: list[str], sender: str) -> None:
    EmailMessage(str(subject), body, sender, to, connection=get_connection(SMTP)).send()


def _enqueue(parts: dict[str, Any]) -> None:
    try:
        current_app.send_task(TASK, kwargs=parts | {"subject": str(parts["subject"])})
    except OperationalError:
        logger.exception("A mail was not sent: the queue cannot be reached.")
