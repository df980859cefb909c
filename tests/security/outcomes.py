"""What may become of a request, by who sends it."""

from typing import NamedTuple

from django.http import HttpResponse

OK, SIGN_IN, UNKNOWN, REFUSED, NOT_FOUND, NO_METHOD = "ok", "sign in", "401", "403", "404", "405"


class Outcomes(NamedTuple):
    anonymous: str
    stranger: str
    analyst: str
    editor: str
    owner: str


# A stranger does not even learn that there is such a thing.
READ = Outcomes(SIGN_IN, NOT_FOUND, OK, OK, OK)
EDIT = Outcomes(SIGN_IN, NOT_FOUND, REFUSED, OK, OK)
# What shows data about workers, or changes whom the campaign deals with.
SUPERVISE = EDIT
OWN = Outcomes(SIGN_IN, NOT_FOUND, REFUSED, REFUSED, OK)
# Strangers add to a team of their own; analysts have none to add to.
ADD = Outcomes(SIGN_IN, OK, REFUSED, OK, OK)
# Everybody who is signed in, each with what is theirs.
SIGNED_IN = Outcomes(SIGN_IN, OK, OK, OK, OK)
# What one person has begun is no other's, not even in their team.
BEGUN = Outcomes(SIGN_IN, NOT_FOUND, NOT_FOUND, NOT_FOUND, OK)
ANYBODY = Outcomes(OK, OK, OK, OK, OK)
# The address itself is the pass: who else is signed in in this browser does not matter.
PASS = ANYBODY
# A signature, or a secret, says who speaks, and here there is none.
SIGNED = Outcomes(REFUSED, REFUSED, REFUSED, REFUSED, REFUSED)
BEARER = Outcomes(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
# What is nowhere, for everybody.
NOBODY = Outcomes(NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND)


def outcome_of(response: HttpResponse) -> str:
    """A form that is sent back for its mistakes was let through."""
    if response.status_code in (401, 403, 404, 405):
        return str(response.status_code)
    if response.status_code == 302 and response.headers["Location"].startswith("/sign-in/?next="):
        return SIGN_IN
    return OK if response.status_code < 500 else str(response.status_code)
