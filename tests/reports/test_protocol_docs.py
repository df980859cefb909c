"""docs/protocols.md says what the registry says."""

import re
from collections.abc import Iterator
from pathlib import Path

from protocols import PROTOCOLS, Protocol
from reports.measures import MEASURES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")


def protocol_rows() -> Iterator[str]:
    for name, protocol in PROTOCOLS.items():
        cells = (f"`{name}`", protocol.default_question, _arms(protocol), protocol.level, _measure(name))
        yield f"| {' | '.join(cells)} |"


def _arms(protocol: Protocol) -> str:
    maps = {0: "one arm, without a map", 1: "methods", 2: "pairs of methods"}[protocol.maps]
    parts = [maps + (" at each k" if protocol.needs_k else ""), *(f"`{one}`" for one in protocol.baselines)]
    return ", ".join(parts) + ("; a worker stays with one" if protocol.between else "")


def _measure(name: str) -> str:
    measure = MEASURES[name]
    return f"`{measure.name}`: {measure.note}" if PROTOCOLS[name].maps else measure.note


def test_what_is_asked_and_reported_is_as_the_registry_has_it() -> None:
    assert [row for row in protocol_rows() if row not in PAGE.splitlines()] == []


def test_baselines_are_those_that_can_be_chosen() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]*)\|$", PAGE.split("\n## ")[0], re.MULTILINE))
    named = {name: tuple(re.findall(r"`(\w+)`", cell)) for name, cell in rows.items()}
    assert named == {name: protocol.baselines for name, protocol in PROTOCOLS.items()}
