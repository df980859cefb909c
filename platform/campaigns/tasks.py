"""The Celery tasks of campaigns: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import DatabaseError, connections

from campaigns.sketching import forget_old
from campaigns.starting import TASK, carry_out, unfinished
from materials.claiming import ClaimedElsewhere


@shared_task(
    name=TASK, acks_late=True, reject_on_worker_lost=True, autoretry_for=(DatabaseError, ClaimedElsewhere),
    retry_backoff=True, max_retries=10,
)  # fmt: skip
def launch_campaign(launch_id: int) -> None:
    carry_out(launch_id)


@shared_task(name="campaigns.forget_sketches")
def forget_sketches() -> None:
    forget_old()


@worker_ready.connect
def take_up_unfinished_launches(**_: Any) -> None:
    """Ask again for what a killed worker or an emptied queue left; what is being done elsewhere is left to it."""
    for launch_id in unfinished():
        launch_campaign.delay(launch_id)
    connections.close_all()
