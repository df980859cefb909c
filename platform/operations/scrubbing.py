"""Takes out of logs what could lead to a person or let somebody in: whatever was written, this is done to the line."""

import re

HIDDEN = "[hidden]"
_SECRET_PARAMETERS = (
    r"token|ticket|invitation|code|password|secret|key|signature"
    r"|PROLIFIC_PID|SESSION_ID|STUDY_ID|workerId|assignmentId"
)
_RULES: list[tuple[re.Pattern[str], str]] = [
    # A worker's pass in the path, and all that an arrival names: /w/<campaign>/<token>/?PROLIFIC_PID=...
    (re.compile(r"(/w/[^/\s\"'?]+/)[^/\s\"'?\\]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(/w/[^\s\"'?]*\?)[^\s\"'\\]+"), rf"\1{HIDDEN}"),
    # Links that let one in: of password resets and invitations.
    (re.compile(r"(/(?:reset|invitations?|join|confirm(?:-email)?)/)[^\s\"'?\\]+"), rf"\1{HIDDEN}"),
    (re.compile(rf"\b({_SECRET_PARAMETERS})=[^&\s\"'\\]+", re.IGNORECASE), rf"\1={HIDDEN}"),
    (re.compile(r"\b(Bearer|Token|Basic)\s+[\w.~+/=:-]{8,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"([a-z]+://[^:/\s@\"']*:)[^@/\s\"']+@"), rf"\1{HIDDEN}@"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), HIDDEN),
    (re.compile(r"\bpkw_\w+"), HIDDEN),
]


def scrub(text: str) -> str:
    for pattern, hidden in _RULES:
        text = pattern.sub(hidden, text)
    return text
