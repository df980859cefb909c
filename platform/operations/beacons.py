"""Signs of life in Redis, which go out by themselves: what lights one is alive while it is seen.

Run as a program (`python -m operations.beacons beat`, `... worker`) it is a container's health check: 0 where the
beacon of this machine is seen.
"""

import json
import os
import socket
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

BEAT, WORKER, GPU = "peekaword:alive:beat", "peekaword:alive:worker:", "peekaword:gpu:"
# Workers light theirs every 2 s, beat at least every 15 s.
SECONDS = 60


@cache
def client() -> redis.Redis:
    """Of this process. It never waits long: nothing here is worth that."""
    again = Retry(NoBackoff(), retries=1)
    return redis.Redis.from_url(os.environ["REDIS_URL"], socket_timeout=2, retry=again, decode_responses=True)


def light(name: str, told: Mapping[str, Any], seconds: int = SECONDS) -> None:
    """Dark where Redis is away, which is as it should be: without it nobody can do anything."""
    try:
        client().set(name, json.dumps(told), ex=seconds)
    except redis.RedisError:
        return


def seen(prefix: str) -> dict[str, Any]:
    """What those that are lit tell, by the rest of their names. Raises RedisError."""
    names = sorted(str(name) for name in client().scan_iter(f"{prefix}*", count=1000))
    told = client().mget(names) if names else []
    return {name.removeprefix(prefix): json.loads(text) for name, text in zip(names, told, strict=True) if text}


def tally(name: str) -> dict[str, int]:
    """Counts by field. Raises RedisError."""
    return {str(field): int(count) for field, count in client().hgetall(name).items()}


def main(kind: str) -> int:
    """The exit code. A worker's beacon is called as Celery calls the worker: celery@HOST."""
    host = f"@{socket.gethostname()}"
    found = seen(BEAT) if kind == "beat" else [name for name in seen(WORKER) if name.endswith(host)]
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
