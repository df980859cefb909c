"""The Celery tasks of campaigns: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from campaigns.sketching import forget_old
from campaigns.starting import LAUNCHING
from materials.carrying import take_up, task_of

launch_campaign = task_of(LAUNCHING)


@shared_task(name="campaigns.forget_sketches")
def forget_sketches() -> None:
    forget_old()


@worker_ready.connect
def take_up_unfinished_launches(**_: Any) -> None:
    take_up(LAUNCHING)
