"""Whether workers who are done get back to where they came from. Nothing is asked of the network."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from campaigns.lints.lint import Finding, Inspected, Severity
from recruitment import OUTCOMES, PROVIDERS
from recruitment.outcomes import COMPLETED

# Addresses that once worked, and what to do instead.
DEAD = {
    "app.prolific.co": "Prolific is at app.prolific.com by now.",
    "prolific.co": "Prolific is at app.prolific.com by now.",
    "www.prolific.co": "Prolific is at app.prolific.com by now.",
    "app.prolific.ac": "Prolific is at app.prolific.com by now.",
    "prolific.ac": "Prolific is at app.prolific.com by now.",
    "www.mturk.com": "Amazon has announced that Mechanical Turk closes in September 2026.",
    "workersandbox.mturk.com": "Amazon has announced that Mechanical Turk closes in September 2026.",
}
LOCAL = re.compile(
    r"localhost|.*\.(local|localhost|internal|test|example|invalid)|127\..*|10\..*|192\.168\..*|\[?::1\]?"
)
MEND = "Mend it in the draft, or leave it empty."


class Problem(NamedTuple):
    severity: Severity
    text: str
    remedy: str = MEND


def exits(seen: Inspected) -> Finding:
    """The worst of what is wrong with any outcome's code or address."""
    found = [*_completion(seen), *_addresses(seen)]
    for severity in (Severity.STOP, Severity.WARNING):
        for problem in found:
            if problem.severity == severity:
                return Finding("Exit", *problem)
    return Finding("Exit", Severity.GOOD, "Whoever is done gets a code or goes back by an address that can be reached.")


def _completion(seen: Inspected) -> Iterator[Problem]:
    campaign, provider = seen.campaign, PROVIDERS[seen.campaign.recruitment]
    if campaign.completion_code or provider.framed:
        return
    if provider.name == "prolific" and not campaign.exit_redirect:
        yield Problem(
            Severity.STOP,
            "The way back needs a completion code, and there is none: whoever is done would not get back.",
            "Give a completion code.",
        )
    elif not campaign.exit_redirect:
        yield Problem(
            Severity.WARNING, "Workers get no completion code.", "Give one, so that the platform can see who is done."
        )


def _addresses(seen: Inspected) -> Iterator[Problem]:
    completed = {"redirect": seen.campaign.exit_redirect, "code": seen.campaign.completion_code}
    for name, way in ({COMPLETED: completed} | seen.campaign.exits).items():
        redirect = way.get("redirect", "")
        who = f"The address for “{OUTCOMES[name].label}”"
        for problem in problems_of(redirect) if redirect else ():
            yield problem._replace(text=f"{who} {problem.text}")
        if "{code}" in redirect and not way.get("code"):
            yield Problem(Severity.STOP, f"{who} wants a code, and there is none.", "Give a code for this outcome.")


def problems_of(redirect: str) -> Iterator[Problem]:
    parts = _parts(redirect)
    if parts is None:
        yield Problem(Severity.STOP, f"is no web address: {redirect}")
    elif (parts.hostname or "") in DEAD:
        yield Problem(Severity.STOP, f"is dead: {parts.hostname}.", DEAD[parts.hostname or ""])
    elif LOCAL.fullmatch(parts.hostname or "") or "." not in (parts.hostname or ""):
        yield Problem(Severity.STOP, f"leads nowhere outside your own network: {parts.hostname}.")
    elif parts.scheme == "http":
        yield Problem(
            Severity.WARNING, "is not encrypted: anybody on the way can read the code.", "Begin it with https."
        )


def _parts(redirect: str) -> SplitResult | None:
    """As it is once {code} and the like are filled in."""
    try:
        parts = urlsplit(re.sub(r"\{\w+\}", "x", redirect.strip()))
        well_formed = parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", parts.netloc)
        return parts if well_formed and parts.port != 0 else None
    except ValueError:
        return None
