"""From the names that somebody gives to methods or metrics with all their parameters."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from catalogue.parameters import Parameter, complete_params


class Entry(Protocol):
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...


def complete(
    kind: str, known: Mapping[str, Entry], given: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """All parameters of each; ValueError for an unknown name or parameter. `kind` is method or metric."""
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"No such {kind}: {unknown[0]}. Known: {', '.join(known)}.")
    return {name: complete_params(name, known[name].parameters, params) for name, params in given.items()}


def parse_choice(kind: str, known: Mapping[str, Entry], names: str, params: str = "") -> dict[str, dict[str, Any]]:
    """Names by commas, or `all`, and their parameters as JSON such as {"lime": {"samples": 500}}."""
    chosen = list(known) if names.strip() == "all" else [name.strip() for name in names.split(",") if name.strip()]
    if not chosen:
        raise ValueError(f"No {kind} named. Known: {', '.join(known)}.")
    given = _parse_params(params)
    if idle := [name for name in given if name not in chosen]:
        raise ValueError(f"Parameters are given for {idle[0]}, which is not among the {kind}s asked for.")
    return complete(kind, known, {name: given.get(name, {}) for name in chosen})


def _parse_params(params: str) -> dict[str, dict[str, Any]]:
    try:
        given = json.loads(params or "{}")
    except ValueError as error:
        raise ValueError(f"The parameters are no JSON: {error}.") from error
    if not isinstance(given, dict) or not all(isinstance(value, dict) for value in given.values()):
        raise ValueError('Parameters look like {"lime": {"samples": 500}}.')
    return given
