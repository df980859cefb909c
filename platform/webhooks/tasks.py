"""The Celery tasks of webhooks: each may come twice, late or not at all."""

from celery import shared_task

from webhooks import delivering
from webhooks.announcing import TASK


@shared_task(name=TASK)
def deliver(key: str, tries: int, asked: bool = False) -> None:
    delivering.deliver(key, tries, asked)


@shared_task(name="webhooks.deliver_due")
def deliver_due() -> None:
    delivering.deliver_due()


@shared_task(name="webhooks.forget_old")
def forget_old() -> None:
    delivering.forget_old()
