"""Counts what a process does into Redis, so that any web process can tell the sum of all, whatever died meanwhile.

A request leaves one tuple in a queue: that is all it pays. A thread adds up and sends every few seconds.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from time import perf_counter

import redis
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from operations.beacons import client

REQUESTS, TASKS = "peekaword:tally:requests", "peekaword:tally:tasks"
# Upper bounds in seconds; the last has none.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, float("inf"))
FLUSH_SECONDS = 5.0
MOST_WAITING = 100_000

Seen = tuple[str, str, int, float]
_seen: deque[Seen] = deque(maxlen=MOST_WAITING)
_unsent: "Counter[str]" = Counter()
_sending = threading.Lock()


def measure(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware, only where somebody may read what it measures."""
    if not settings.METRICS_TOKEN:
        raise MiddlewareNotUsed
    started: list[threading.Thread] = []

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        match = request.resolver_match
        view = match.view_name if match else ""
        _seen.append((view, request.method or "", response.status_code, perf_counter() - began))
        if not started:  # Here and not before, as a thread does not survive a fork.
            started.append(_start())
        return response

    return middleware


def _start() -> threading.Thread:
    thread = threading.Thread(target=_keep_sending, name="tallying", daemon=True)
    thread.start()
    return thread


def _keep_sending() -> None:
    while True:
        time.sleep(FLUSH_SECONDS)
        send()


def send() -> None:
    """What was not sent, because Redis is away, waits for the next time."""
    with _sending:
        while _seen:
            _unsent.update(_parts(*_seen.popleft()))
        try:
            pipeline = client().pipeline(transaction=True)
            for field, count in _unsent.items():
                pipeline.hincrby(REQUESTS, field, count)
            pipeline.execute()
        except redis.RedisError:
            return
        _unsent.clear()


def _parts(view: str, method: str, status: int, seconds: float) -> dict[str, int]:
    """A request as counts: one in its bucket, and its microseconds. Names of views hold no bar."""
    labels = f"{view or 'none'}|{method}|{status}"
    bucket = next(number for number, bound in enumerate(BOUNDS) if seconds <= bound)
    return {f"{labels}|{bucket}": 1, f"{labels}|us": round(seconds * 1_000_000)}
