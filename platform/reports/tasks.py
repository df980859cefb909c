"""The Celery tasks of reports: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import DatabaseError, connections

from materials import removing
from materials.claiming import ClaimedElsewhere
from materials.removing import Kind
from reports import interim
from reports.archiving import asking
from reports.building import TASK, make, unfinished
from reports.deleting import PLANS


@shared_task(
    name=TASK, acks_late=True, reject_on_worker_lost=True, autoretry_for=(DatabaseError, ClaimedElsewhere),
    retry_backoff=True, max_retries=10,
)  # fmt: skip
def build_report(build_id: int) -> None:
    make(build_id)


@shared_task(
    name=asking.TASK, acks_late=True, reject_on_worker_lost=True, autoretry_for=(DatabaseError, ClaimedElsewhere),
    retry_backoff=True, max_retries=10,
)  # fmt: skip
def carry_archive(job_id: int) -> None:
    asking.carry_out(job_id)


@shared_task(name="reports.forget_archives")
def forget_archives() -> None:
    asking.forget_old()


@shared_task(name=interim.TASK)
def relate_so_far(campaign_id: int) -> None:
    interim.relate_so_far(campaign_id)


@shared_task(
    name=removing.TASKS[Kind.CAMPAIGN], acks_late=True, reject_on_worker_lost=True,
    autoretry_for=(DatabaseError, ClaimedElsewhere), retry_backoff=True, max_retries=10,
)  # fmt: skip
def remove_campaign(removal_id: int) -> None:
    removing.carry_out(removal_id, PLANS)


@worker_ready.connect
def take_up_unfinished_builds(**_: Any) -> None:
    """Ask again for what a killed worker or an emptied queue left; what is being made elsewhere is left to it."""
    for build_id in unfinished():
        build_report.delay(build_id)
    for job_id in asking.unfinished():
        carry_archive.delay(job_id)
    for removal_id in removing.unfinished(Kind.CAMPAIGN):
        remove_campaign.delay(removal_id)
    connections.close_all()
