"""Make, find and revoke tokens. A secret holds 256 random bits, so one pass of SHA-256 keeps it; no salt is needed."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.api.models import ApiToken
from accounts.api.scopes import SCOPES
from accounts.auditing import Act, record
from accounts.models import User

START = "pkw_"
SHOWN = 8
DEFAULT_DAYS, MOST_DAYS = 90, 366


def make_token(
    user: User, name: str, scopes: Iterable[str] = tuple(SCOPES), days: int = DEFAULT_DAYS
) -> tuple[ApiToken, str]:
    """The token and its secret, which cannot be had again."""
    secret = START + secrets.token_urlsafe(32)
    wanted = set(scopes)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:SHOWN],
        digest=digest_of(secret),
        scopes=[scope for scope in SCOPES if scope in wanted],
        expires_at=timezone.now() + timedelta(days=days),
    )
    _log(token, Act.TOKEN_MADE, scopes=" ".join(token.scopes))
    return token, secret


def find_token(secret: str) -> ApiToken | None:
    """Looked up by its hash, of which nothing can be learnt by timing."""
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(secret)).first()
    return token if token and token.works and token.user.is_active else None


def note_use(token: ApiToken) -> None:
    """To the day: one write a day, and no diary of somebody's work."""
    today = timezone.now().date()
    if token.last_used_on != today:
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=today)


def revoke(token: ApiToken) -> None:
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        _log(token, Act.TOKEN_REVOKED)


def revoke_all(user: User) -> None:
    for token in user.api_tokens.filter(revoked_at=None):
        revoke(token)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def _log(token: ApiToken, act: Act, **detail: str) -> None:
    """A token reaches all teams of its user, so each of them is told."""
    for team in token.user.teams.all():
        record(token.user, team, act, token, **detail)
