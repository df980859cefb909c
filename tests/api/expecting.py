"""Who gets what at every address of the API. Each area has its dict; test_access.py holds them equal to the schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts.models import User

ACTORS = ("owner", "editor", "analyst", "stranger")


@dataclass(frozen=True)
class World:
    """One team with one of everything. `at` fills the braces of addresses, by the first part of the address.

    The stranger owns another team, which has nothing.
    """

    owner: User
    editor: User
    analyst: User
    stranger: User
    at: dict[str, dict[str, object]] = field(default_factory=dict)


@dataclass(frozen=True)
class Expected:
    """The status that each gets; `body` is what is sent, of which the world knows the names.

    Nobody gets anything without credentials (401), nor by a token without the scope (403), unless `open_to_all`.
    """

    owner: int
    editor: int
    analyst: int
    stranger: int
    body: Callable[[World], Mapping[str, Any] | bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    open_to_all: bool = False


def reads(stranger: int = 404) -> Expected:
    """All of the team read."""
    return Expected(200, 200, 200, stranger)


def writes(status: int, body: Callable[[World], Mapping[str, Any]] | None = None, stranger: int = 404) -> Expected:
    """Owners and editors write."""
    return Expected(status, status, 403, stranger, body)


def supervises(status: int = 200, body: Callable[[World], Mapping[str, Any]] | None = None) -> Expected:
    """What shows or changes data about workers."""
    return Expected(status, status, 403, 404, body)


def owns(status: int, body: Callable[[World], Mapping[str, Any]] | None = None) -> Expected:
    return Expected(status, 403, 403, 404, body)
