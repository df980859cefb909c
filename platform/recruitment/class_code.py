"""A code that a teacher reads out: it lets a set number of people in, typed or in the link."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recruitment.linking import leave, read
from recruitment.provider import Arrival, Provider

PARAMETER = "code"


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    """People write codes in their own way: with blanks, dashes and small letters."""
    arrival = read(query, worker_parameter, PARAMETER)
    return replace(arrival, ticket="".join(filter(str.isalnum, arrival.ticket)).upper())


CLASS_CODE = Provider(
    name="class_code",
    label="A class code",
    summary="Whoever knows the code takes part, up to a number that you set.",
    arrive=arrive,
    leave=leave,
    entry="code",
)
