"""Prolific (docs.prolific.com, read 2026-11): SESSION_ID is the submission; every outcome has a completion code."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recruitment.linking import kept, leave, read
from recruitment.outcomes import COMPLETED, RETURNED, SCREENED_OUT, TIMED_OUT
from recruitment.provider import Arrival, Exit, Provider, Way

PARAMETER, STUDY, SESSION = "PROLIFIC_PID", "STUDY_ID", "SESSION_ID"
COMPLETE = "https://app.prolific.com/submissions/complete?cc={code}"
QUERY = "&".join(f"{name}={{{{%{name}%}}}}" for name in (PARAMETER, STUDY, SESSION))
STATUSES = {
    "RESERVED": "started",
    "ACTIVE": "started",
    "AWAITING REVIEW": COMPLETED,
    "APPROVED": COMPLETED,
    "PARTIALLY APPROVED": COMPLETED,
    "SCREENED OUT": SCREENED_OUT,
    "RETURNED": RETURNED,
    "TIMED-OUT": TIMED_OUT,
    "REJECTED": "rejected",
}


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    arrival = read(query, PARAMETER)
    return replace(arrival, parameters=kept(arrival, frozenset({STUDY, SESSION})))


def leave_by_code(outcome: str, way: Way, parameters: Mapping[str, str]) -> Exit:
    return leave(outcome, way if way.redirect else replace(way, redirect=COMPLETE), parameters)


PROLIFIC = Provider(
    name="prolific",
    label="Prolific",
    summary="Prolific's link names its workers; each outcome goes back by a completion code of its own.",
    arrive=arrive,
    leave=leave_by_code,
    parameter=PARAMETER,
    query=QUERY,
    named=True,
    statuses=STATUSES,
)
