"""The Celery tasks of keeping the house in order. Each may come twice, late, or while another of its kind is at it."""

from datetime import timedelta

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.api.idempotency import KEPT
from accounts.api.models import KeptAnswer
from operations.models import FailedTask

KEEP_FAILURES = timedelta(days=30)


@shared_task(name="operations.clear_sessions")
def clear_sessions() -> None:
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


@shared_task(name="operations.forget_failures")
def forget_failures() -> None:
    FailedTask.objects.filter(failed_at__lt=timezone.now() - KEEP_FAILURES).delete()


@shared_task(name="operations.forget_answers")
def forget_answers() -> None:
    """Answers that were kept for requests with an idempotency key."""
    KeptAnswer.objects.filter(created_at__lte=timezone.now() - KEPT).delete()
