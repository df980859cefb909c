import time
from typing import Any

import celery.beat

from operations.beacons import BEAT, light

TICK_SECONDS = 15


class Scheduler(celery.beat.Scheduler):
    """Keeps nothing on disk: each task may come twice or late, so that a restart costs nothing."""

    max_interval = TICK_SECONDS

    def tick(self, *args: Any, **kwargs: Any) -> float:
        seconds = super().tick(*args, **kwargs)
        light(BEAT, {"at": time.time()})
        return float(seconds)
