"""What became of tasks: counts of all, and a row of each that came to nothing."""

import logging
from typing import Any

import redis
from celery.signals import task_failure, task_retry, task_success
from django.db import DatabaseError

from operations.beacons import client
from operations.models import FailedTask, numbers
from operations.scrubbing import scrub
from operations.tallying import TASKS

MOST_CHARACTERS = 2000
logger = logging.getLogger(__name__)


def listen() -> None:
    task_success.connect(_count_success)
    task_retry.connect(_count_retry)
    task_failure.connect(_note_failure)


def _count_success(sender: Any, **_: Any) -> None:
    _count(sender.name, "succeeded")


def _count_retry(sender: Any, **_: Any) -> None:
    _count(sender.name, "retried")


def _note_failure(sender: Any, task_id: str, exception: BaseException, **said: Any) -> None:
    _count(sender.name, "failed")
    reason = f"{type(exception).__name__}: {exception}".replace("\0", "\ufffd")
    row = {
        "name": sender.name,
        "args": numbers(said.get("args") or (), said.get("kwargs") or {}),
        "reason": scrub(reason)[:MOST_CHARACTERS],
        "request_id": str(sender.request.get("request_id") or ""),
    }
    try:
        FailedTask.objects.update_or_create(task_id=task_id, defaults=row)
    except DatabaseError as error:  # The log has it all the same.
        logger.warning("A failed task could not be noted: %s", type(error).__name__)


def _count(task: str, outcome: str) -> None:
    try:
        client().hincrby(TASKS, f"{task}|{outcome}", 1)
    except redis.RedisError:
        return
