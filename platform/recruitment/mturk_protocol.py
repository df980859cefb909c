"""Hosts that speak Mechanical Turk's ExternalQuestion: our pages stand in a frame of theirs, and post back to them.

docs.aws.amazon.com/AWSMechTurk, read 2026-11: the link carries workerId, assignmentId, hitId and turkSubmitTo; a
preview has ASSIGNMENT_ID_NOT_AVAILABLE; the answer must hold the assignmentId and at least one more field.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as configured

from recruitment.linking import kept, read
from recruitment.outcomes import COMPLETED, SCREENED_OUT
from recruitment.provider import Arrival, Exit, Provider, Way

PARAMETER, ASSIGNMENT, SUBMIT_TO = "workerId", "assignmentId", "turkSubmitTo"
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT_PATH = "/mturk/externalSubmit"
# Who did not do the work returns the assignment at the host itself.
POSTED = (COMPLETED, SCREENED_OUT)


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    arrival = read(query, PARAMETER)
    return replace(
        arrival,
        parameters=kept(arrival, frozenset({ASSIGNMENT, "hitId", SUBMIT_TO})),
        preview=query.get(ASSIGNMENT, "").strip() == PREVIEW,
    )


def leave(outcome: str, way: Way, parameters: Mapping[str, str]) -> Exit:
    """Only to a host of the allow-list, or the link could be made to send anybody anywhere."""
    address, assignment = submit_address(parameters.get(SUBMIT_TO, "")), parameters.get(ASSIGNMENT, "")
    if outcome not in POSTED or not address or not assignment:
        return Exit()
    return Exit(address, {ASSIGNMENT: assignment, "outcome": outcome, **({"code": way.code} if way.code else {})})


def submit_address(submit_to: str) -> str:
    try:
        parts = urlsplit(submit_to)
    except ValueError:
        return ""
    if parts.scheme != "https" or parts.netloc.lower() not in configured.MTURK_SUBMIT_HOSTS:
        return ""
    return f"https://{parts.netloc}{parts.path.rstrip('/')}{SUBMIT_PATH}"


MTURK_PROTOCOL = Provider(
    name="mturk_protocol",
    label="A host that speaks MTurk's protocol",
    summary="Our pages stand in a frame of the host's, which takes the assignment back at the end.",
    arrive=arrive,
    leave=leave,
    parameter=PARAMETER,
    named=True,
    framed=True,
)
