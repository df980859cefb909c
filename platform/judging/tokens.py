"""A worker's pass: a signed participation number in the path of every page.

Who has the address may act for this participation and nobody else, so it is at once log-in and protection against
forged requests: another site cannot post to an address that it cannot know. Hence the worker's views are exempt from
Django's CSRF check, which would need a cookie of its own, and no session or user row is read on the worker's path.
"""

from functools import lru_cache

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from judging.models import Participation

COOKIE = "peekaword_worker"
COOKIE_SECONDS = 60 * 24 * 3600
_signer = Signer(salt="judging.participation", sep=".")


def token_of(participation: Participation) -> str:
    return _signed(participation.pk)


@lru_cache(maxsize=1024)
def _signed(pk: int) -> str:
    return _signer.sign(str(pk))


def read_token(token: str) -> int | None:
    """The participation's number, or None where the token is not one of ours."""
    try:
        return int(_signer.unsign(token))
    except (BadSignature, ValueError):
        return None


def remember(response: HttpResponse, request: HttpRequest, participation: Participation) -> None:
    """So that a worker whom nobody names still finds back by the campaign's own link."""
    response.set_cookie(
        COOKIE,
        token_of(participation),
        max_age=COOKIE_SECONDS,
        path=request.path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
