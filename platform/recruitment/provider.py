"""What every source of workers tells the rest of the house. Plain data in, plain data out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Arrival:
    """`worker` is the recruiter's own id of the worker, empty where the link carried none."""

    worker: str
    parameters: dict[str, str]


@dataclass(frozen=True)
class Provider:
    """`arrive(query, worker_parameter)` reads the link; `exit_url(redirect, code, parameters)` builds the way back,
    empty where there is none."""

    name: str
    label: str
    arrive: Callable[[Mapping[str, str], str], Arrival]
    exit_url: Callable[[str, str, Mapping[str, str]], str]
