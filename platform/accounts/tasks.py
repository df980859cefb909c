from smtplib import SMTPException

from celery import shared_task

from accounts.mailing import TASK, send


@shared_task(name=TASK, autoretry_for=(OSError, SMTPException), retry_backoff=True, max_retries=8)
def send_mail(subject: str, body: str, to: list[str], sender: str) -> None:
    send(subject, body, to, sender)
