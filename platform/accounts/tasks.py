from smtplib import SMTPException

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session

from accounts.mailing import TASK, send


@shared_task(name=TASK, autoretry_for=(OSError, SMTPException), retry_backoff=True, max_retries=8)
def send_mail(subject: str, body: str, to: list[str], sender: str) -> None:
    send(subject, body, to, sender)


@shared_task(name="accounts.forget_sessions")
def forget_sessions() -> None:
    """The addresses and browsers of sessions that are over go with them."""
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
