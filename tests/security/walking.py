"""Every address of the project, from the resolver itself."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from reports.bundling import bundle_name
from tests.security.table import WORDS
from tests.security.world import World


def patterns(resolver: URLResolver | None = None, before: str = "") -> Iterator[tuple[str, Any]]:
    """Each with its view, once: the same under another ending, such as .json, is the same address."""
    for one in (resolver or get_resolver()).url_patterns:
        route = before + plain(str(one.pattern))
        if isinstance(one, URLResolver):
            yield from patterns(one, route)
        elif isinstance(one, URLPattern) and "format>" not in route and "drf_format" not in route:
            yield route, one.callback


def plain(route: str) -> str:
    """A regular expression of the router's, in the words of a path."""
    return re.sub(r"\(\?P(<\w+>)[^()]*\)", r"\1", route.lstrip("^").rstrip("$"))


def address(pattern: str, world: World) -> str:
    """With the world's own rows in its open parts."""
    found = pattern
    stands = WORDS | {"<str:name>": bundle_name()} | world.stands
    for part in sorted(stands, key=len, reverse=True):
        found = found.replace(part, stands[part])
    assert "<" not in found, f"{pattern}: say in tests/security/world.py what stands for its open parts"
    return f"/{found}"
