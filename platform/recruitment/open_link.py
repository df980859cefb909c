"""A link that anybody may hand out: a mailing list, a class, a panel that names its workers by a parameter."""

from collections.abc import Mapping
from typing import Any

from recruitment.linking import leave, read
from recruitment.provider import Arrival, Provider


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    return read(query, worker_parameter)


OPEN_LINK = Provider(
    name="open_link",
    label="A link",
    summary="Anybody who has the link takes part.",
    arrive=arrive,
    leave=leave,
)
