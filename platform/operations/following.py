"""What each worker process is at, told by itself: nobody has to wait for the answers of those that do not answer."""

import sys
import time
from typing import Any

from celery.signals import heartbeat_sent, task_postrun
from celery.worker import state

from operations.beacons import GPU, WORKER, light
from operations.models import numbers


def listen() -> None:
    heartbeat_sent.connect(_tell_tasks)
    task_postrun.connect(_tell_gpu)


def _tell_tasks(sender: Any, **_: Any) -> None:
    """By the worker's main process, every two seconds."""
    tasks = [
        {"id": request.id, "name": request.name, "args": _numbers(request), "since": request.time_start}
        for request in list(state.active_requests)
    ]
    light(WORKER + sender.eventer.hostname, {"at": time.time(), "tasks": tasks})


def _numbers(request: Any) -> list[int] | None:
    return numbers(request.args or (), request.kwargs or {})


def _tell_gpu(task: Any, **_: Any) -> None:
    """By the process that has just computed. One without torch, or without a GPU in use, has nothing to tell."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return
    for number in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(number)
        told = {"used": total - free, "total": total, "ours": torch.cuda.memory_reserved(number)}
        light(f"{GPU}{task.request.hostname}:{number}", told, seconds=600)
