"""The Celery tasks of reports: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from materials.carrying import take_up, task_of
from reports import interim
from reports.archiving import asking
from reports.building import BUILDING
from reports.deleting import REMOVING

build_report = task_of(BUILDING)
carry_archive = task_of(asking.ARCHIVING)
remove_campaign = task_of(REMOVING)


@shared_task(name="reports.forget_archives")
def forget_archives() -> None:
    asking.forget_old()


@shared_task(name=interim.TASK)
def relate_so_far(campaign_id: int) -> None:
    interim.relate_so_far(campaign_id)


@worker_ready.connect
def take_up_unfinished_builds(**_: Any) -> None:
    take_up(BUILDING, asking.ARCHIVING, REMOVING)
