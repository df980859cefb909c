"""One link a person: it names its holder, takes one person in, and brings that person back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recruitment.linking import leave, read
from recruitment.provider import Arrival, Provider

PARAMETER = "invitation"


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    """The invitation alone says who somebody is: any other name could be made up."""
    return replace(read(query, worker_parameter, PARAMETER), worker="")


INVITATION = Provider(
    name="invitation",
    label="Invitations",
    summary="Every person gets a link of their own, which takes in one.",
    arrive=arrive,
    leave=leave,
    entry="invitation",
)
