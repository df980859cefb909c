"""How a participation can end. Each has a code, an address and a message of its own."""

import secrets
from typing import NamedTuple

# Neither letters nor digits that are mistaken for each other when somebody types them.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8


class Outcome(NamedTuple):
    label: str
    meaning: str


COMPLETED, SCREENED_OUT, DECLINED = "completed", "screened_out", "declined"
RETURNED, TIMED_OUT, FULL = "returned", "timed_out", "full"

OUTCOMES: dict[str, Outcome] = {
    COMPLETED: Outcome("Completed", "Did all there was to do"),
    SCREENED_OUT: Outcome("Screened out", "Did not pass the practice or the questions before the work"),
    DECLINED: Outcome("Declined", "Did not agree to take part"),
    RETURNED: Outcome("Returned", "Stopped half way"),
    TIMED_OUT: Outcome("Timed out", "Took longer than the recruiter allows"),
    FULL: Outcome("Full", "Came when there was nothing left to do"),
}
OTHERS = [name for name in OUTCOMES if name != COMPLETED]


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def new_exits() -> dict[str, dict[str, str]]:
    """A code for every outcome but completion, all different."""
    codes: set[str] = set()
    while len(codes) < len(OTHERS):
        codes.add(new_code())
    return {name: {"code": code, "redirect": "", "message": ""} for name, code in zip(OTHERS, codes, strict=True)}
