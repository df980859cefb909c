"""The Celery tasks of materials that need no model: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import DatabaseError, connections

from materials import removing
from materials.bringing import TASK, carry_out, unfinished
from materials.claiming import ClaimedElsewhere
from materials.deleting import PLANS
from materials.removing import Kind
from materials.uploading import discard_old


@shared_task(
    name=TASK, acks_late=True, reject_on_worker_lost=True, autoretry_for=(DatabaseError, ClaimedElsewhere),
    retry_backoff=True, max_retries=10,
)  # fmt: skip
def import_file(import_id: int) -> None:
    carry_out(import_id)


@shared_task(
    name=removing.TASKS[Kind.DATASET], acks_late=True, reject_on_worker_lost=True,
    autoretry_for=(DatabaseError, ClaimedElsewhere), retry_backoff=True, max_retries=10,
)  # fmt: skip
def remove(removal_id: int) -> None:
    removing.carry_out(removal_id, PLANS)


@shared_task(name="materials.discard_uploads")
def discard_uploads() -> None:
    discard_old()


@worker_ready.connect
def take_up_what_is_unfinished(**_: Any) -> None:
    """Ask again for what a killed worker or an emptied queue left; what is under way elsewhere is skipped there."""
    for import_id in unfinished():
        import_file.delay(import_id)
    for removal_id in removing.unfinished(Kind.DATASET, Kind.CLASSIFIER):
        remove.delay(removal_id)
    connections.close_all()
