"""So many requests a minute; what is left is said in every answer (draft-ietf-httpapi-ratelimit-headers-10)."""

import math
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.api.models import ApiToken

WINDOW = 60


@dataclass(frozen=True)
class Standing:
    """`left` is below 0 for who asked too often; `seconds` until the window ends."""

    policy: str
    limit: int
    left: int
    seconds: int

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Policy": f'"{self.policy}";q={self.limit};w={WINDOW}',
            "RateLimit": f'"{self.policy}";r={max(0, self.left)};t={self.seconds}',
        }


class RateLimit(BaseThrottle):
    """By token, by user, or by address for strangers. Without the cache nobody is kept out."""

    policy = "requests"

    def allow_request(self, request: Request, view: APIView) -> bool:
        standing = count(self.policy, self.who(request), self.limit(request))
        request._request.rate_limit = standing  # type: ignore[attr-defined]
        self.standing = standing
        return standing.left >= 0

    def wait(self) -> float:
        return self.standing.seconds

    def limit(self, request: Request) -> int:
        known = bool(request.user and request.user.is_authenticated)
        return settings.API_REQUESTS_PER_MINUTE if known else settings.API_STRANGER_REQUESTS_PER_MINUTE

    def who(self, request: Request) -> str:
        if isinstance(request.auth, ApiToken):
            return f"token {request.auth.pk}"
        return f"user {request.user.pk}" if request.user and request.user.pk else f"address {self.get_ident(request)}"


class PasswordLimit(RateLimit):
    """For trading passwords for tokens: by address, whoever they say they are."""

    policy = "passwords"

    def limit(self, request: Request) -> int:
        return 10

    def who(self, request: Request) -> str:
        return f"address {self.get_ident(request)}"


def count(policy: str, who: str, limit: int) -> Standing:
    """The window begins with the first request, so no two windows meet within a minute."""
    now = time.time()
    try:
        start = cache.get_or_set(f"rate {policy} {who}".replace(" ", ":"), now, WINDOW) or now
        key = f"rate:{policy}:{who}:{start}".replace(" ", ":")
        cache.add(key, 0, 2 * WINDOW)
        used = cache.incr(key)
    except (RedisError, ValueError):
        return Standing(policy, limit, limit - 1, WINDOW)
    return Standing(policy, limit, limit - used, min(WINDOW, max(1, math.ceil(start + WINDOW - now))))
