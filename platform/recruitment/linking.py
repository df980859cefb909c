"""Reading the link that a worker came by, and building the one back: what most providers share."""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from recruitment.provider import Arrival, Exit, Way

MOST_PARAMETERS = 30
LONGEST_NAME = 60
LONGEST_VALUE = 200
SHORTEST_INSIDE = 6
# The parameter of an arrival that marks a participation as simulated.
SIMULATED = "simulated"
# What panels leave in the link when a researcher opens it from a preview: nobody's id.
_UNFILLED = re.compile(r"\{\{.*\}\}|\$\{.*\}|\[.*\]|%%.*%%")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def read(query: Mapping[str, str], worker_parameter: str, ticket_parameter: str = "") -> Arrival:
    """The worker's id and every other parameter; neither the id nor the ticket is kept among them."""
    given = {name: _clean(value) for name, value in list(query.items())[:MOST_PARAMETERS]}
    worker = _clean(query.get(worker_parameter, ""))
    if _UNFILLED.fullmatch(worker):
        worker = ""
    return Arrival(
        worker,
        {
            _clean(name)[:LONGEST_NAME]: value[:LONGEST_VALUE]
            for name, value in given.items()
            if name not in (worker_parameter, ticket_parameter) and not _repeats(value, worker)
        },
        ticket=_clean(query.get(ticket_parameter, ""))[:LONGEST_VALUE],
    )


def kept(arrival: Arrival, names: frozenset[str]) -> dict[str, str]:
    """Of the arrival's parameters, those that the provider is known to send."""
    return {name: value for name, value in arrival.parameters.items() if name in names | {SIMULATED}}


def _repeats(value: str, worker: str) -> bool:
    """The id itself, or inside an address; a short id such as "7" is inside many innocent values."""
    return bool(worker) and (value == worker or (len(worker) >= SHORTEST_INSIDE and worker in value))


def _clean(value: str) -> str:
    """Without NUL, which Postgres cannot store, and lone surrogates, which nothing can encode."""
    return value.replace("\0", "").encode("utf-8", "ignore").decode("utf-8").strip()


def leave(outcome: str, way: Way, parameters: Mapping[str, str]) -> Exit:
    """By a link, for every outcome that has an address."""
    if "{code}" in way.redirect and not way.code:
        return Exit()
    return Exit(exit_url(way.redirect, way.code, parameters))


def exit_url(redirect: str, code: str, parameters: Mapping[str, str]) -> str:
    """`redirect` with {code} and the arrival's own parameters filled in; empty unless it is a web address."""
    values = {**parameters, "code": code}
    url = _PLACEHOLDER.sub(lambda found: quote(values.get(found[1], ""), safe=""), redirect.strip())
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in {"http", "https"} and parts.hostname else ""
