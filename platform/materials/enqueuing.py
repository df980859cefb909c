"""Tasks for worker processes, by name. What was committed before stays, whether or not the queue can be reached."""

from collections.abc import Iterable

from celery import current_app
from kombu.exceptions import OperationalError


def enqueue(task: str, ids: Iterable[int]) -> bool:
    """One task for each id. False where the queue cannot be reached: some may be in it, and tasks may come twice."""
    try:
        for pk in ids:
            current_app.send_task(task, [pk])
    except OperationalError:
        return False
    return True
