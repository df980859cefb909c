"""Prolific (docs.prolific.com, read 2026-11): SESSION_ID is the submission; every outcome has a completion code."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recruitment.linking import kept, leave, read
from recruitment.outcomes import COMPLETED, DECLINED, FULL, RETURNED, SCREENED_OUT, TIMED_OUT
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
# What Prolific calls a code, and why somebody is asked to return a submission that came by it; none: a person looks.
CODES = {
    COMPLETED: ("COMPLETED", ""),
    SCREENED_OUT: ("OTHER", "The questions before the work were not answered as it needs."),
    DECLINED: ("NO_CONSENT", "Consent was not given."),
    RETURNED: ("OTHER", "The work was stopped half way."),
    TIMED_OUT: ("OTHER", "The time allowed had passed."),
    FULL: ("OTHER", "Nothing was left to do."),
}


def arrive(query: Mapping[str, str], worker_parameter: str, settings: Mapping[str, Any]) -> Arrival:
    arrival = read(query, PARAMETER)
    return replace(arrival, parameters=kept(arrival, frozenset({STUDY, SESSION})))


def status_of(said: str) -> str:
    """Prolific writes the same status with blanks here and underscores there."""
    status = said.strip().upper().replace("_", " ")[:30]
    return "TIMED-OUT" if status == "TIMED OUT" else status


def draft(
    name: str, description: str, link: str, codes: Mapping[str, str], places: int, minutes: int, reward_cents: int
) -> dict[str, Any]:
    """A study as Prolific's API takes it. `codes` by outcome; whom it is for is chosen on Prolific's pages."""
    return {
        "name": name,
        "description": description,
        "external_study_url": f"{link}?{QUERY}",
        "prolific_id_option": "url_parameters",
        "completion_codes": [_completion_code(outcome, code) for outcome, code in codes.items() if code],
        "total_available_places": places,
        "estimated_completion_time": minutes,
        "reward": reward_cents,
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "filters": [],
    }


def _completion_code(outcome: str, code: str) -> dict[str, Any]:
    kind, reason = CODES[outcome]
    action = {"action": "REQUEST_RETURN", "return_reason": reason} if reason else {"action": "MANUALLY_REVIEW"}
    return {"code": code, "code_type": kind, "actions": [action]}


def leave_by_code(outcome: str, way: Way, parameters: Mapping[str, str]) -> Exit:
    return leave(outcome, way if way.redirect else replace(way, redirect=COMPLETE), parameters)


PROLIFIC = Provider(
    name="prolific",
    label="Prolific",
    summary="Its link names its workers; every outcome goes back by a code of its own.",
    arrive=arrive,
    leave=leave_by_code,
    parameter=PARAMETER,
    query=QUERY,
    named=True,
    statuses=STATUSES,
)
