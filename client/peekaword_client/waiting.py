"""Jobs take a while: ask now and then, tell how far they are, and end when they do."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from peekaword_client.errors import NotDoneInTime

T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """`total` is 0 while it is not known."""

    job: str
    done: int
    total: int
    text: str = ""


Told = Callable[[Step], None]


def say_nothing(step: Step) -> None:
    """What `progress` is told by default."""


def wait(
    ask: Callable[[], T],
    ended: Callable[[T], bool],
    step: Callable[[T], Step],
    told: Told,
    timeout: float,
    pause: Callable[[float], None],
) -> T:
    """The first answer that has `ended`. Pauses grow from half a second to five."""
    until, between = time.monotonic() + timeout, 0.5
    while True:
        found = ask()
        told(step(found))
        if ended(found):
            return found
        if time.monotonic() > until:
            raise NotDoneInTime(f"Not done within {timeout:g} seconds: {step(found).job} goes on.")
        pause(between)
        between = min(5.0, between * 1.5)
