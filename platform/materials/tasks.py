"""The Celery tasks of materials that need no model: each takes an id and may come twice, late or not at all."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from materials.bringing import IMPORTING
from materials.carrying import take_up, task_of
from materials.deleting import REMOVING
from materials.folding import fold_counts
from materials.uploading import discard_old

import_file = task_of(IMPORTING)
remove = task_of(REMOVING)


@shared_task(name="materials.discard_uploads")
def discard_uploads() -> None:
    discard_old()


@shared_task(name="materials.fold_counts")
def fold_all_counts() -> None:
    fold_counts()


@worker_ready.connect
def take_up_what_is_unfinished(**_: Any) -> None:
    take_up(IMPORTING, REMOVING)
