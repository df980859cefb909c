"""Typed reading of environment variables: a malformed value stops the start with one clear line."""

import os
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent.parent
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def env(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def env_bool(name: str, default: bool) -> bool:
    raw = env(name).lower()
    if raw and raw not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name}={raw!r}: expected true or false.")
    return raw in TRUE if raw else default


def env_int(name: str, default: int, minimum: int = 0) -> int:
    return _parsed(name, default, int, lambda n: n >= minimum, f"a whole number of at least {minimum}")


def env_float(name: str, default: float, minimum: float = 0.0) -> float:
    return _parsed(name, default, float, lambda n: n >= minimum, f"a number of at least {minimum:g}")


def env_choice(name: str, choices: tuple[str, ...]) -> str:
    """One of the choices; the first where nothing is set."""
    return _parsed(name, choices[0], str.lower, lambda value: value in choices, " or ".join(choices))


def env_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in env(name, default).split(",") if part.strip()]


def env_networks(name: str) -> list[IPv4Network | IPv6Network]:
    nothing: list[IPv4Network | IPv6Network] = []
    return _parsed(name, nothing, _networks, lambda _: True, "networks such as 10.0.0.0/8, separated by commas")


def _networks(raw: str) -> list[IPv4Network | IPv6Network]:
    return [ip_network(part.strip()) for part in raw.split(",") if part.strip()]


def _parsed(name: str, default: T, parse: Callable[[str], T], valid: Callable[[T], bool], expected: str) -> T:
    raw = env(name)
    if not raw:
        return default
    try:
        value = parse(raw)
    except ValueError:
        value = None
    if value is None or not valid(value):
        raise ImproperlyConfigured(f"{name}={raw!r}: expected {expected}.")
    return value


def var_folder() -> Path:
    """Where everything that a running Peekaword writes on its own disk lives."""
    return Path(env("PEEKAWORD_VAR") or ROOT / "var").resolve()
