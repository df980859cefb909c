"""What the page of the queue shows: who is alive, what waits, what runs, and what failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import redis

from accounts.access import OWNING
from accounts.models import Membership, User
from operations.beacons import BEAT, GPU, WORKER, seen
from operations.queueing import depths

QUEUES = {"compute": "Explanations, predictions and classifiers", "celery": "Everything else"}


@dataclass(frozen=True)
class Running:
    task: str
    rows: str
    since: datetime


@dataclass(frozen=True)
class Gpu:
    number: str
    used: int
    total: int


@dataclass(frozen=True)
class Worker:
    name: str
    running: list[Running]
    gpus: list[Gpu]


@dataclass(frozen=True)
class Standing:
    """`reachable` is False where the queue cannot be asked: nothing else is known then."""

    reachable: bool
    beats: bool = False
    queues: list[tuple[str, int]] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)


def may_look(user: User) -> bool:
    return user.is_staff or Membership.objects.filter(user=user, role__in=OWNING).exists()


def standing() -> Standing:
    try:
        queues = [(QUEUES.get(name, name), waiting) for name, waiting in sorted(depths().items(), reverse=True)]
        workers, gpus, beats = seen(WORKER), seen(GPU), bool(seen(BEAT))
    except redis.RedisError:
        return Standing(reachable=False)
    return Standing(True, beats, queues, [_worker(name, told, gpus) for name, told in workers.items()])


def _worker(name: str, told: Mapping[str, Any], gpus: Mapping[str, Any]) -> Worker:
    running = [
        Running(
            task["name"],
            ", ".join(map(str, task["args"] or ())),
            datetime.fromtimestamp(task["since"] or told["at"], UTC),
        )
        for task in told["tasks"]
    ]
    own = [(key.rpartition(":")[2], one) for key, one in gpus.items() if key.startswith(f"{name}:")]
    return Worker(name, running, [Gpu(number, one["used"], one["total"]) for number, one in own])
