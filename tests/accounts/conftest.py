import base64
import hashlib
import hmac
import secrets
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest

from config import settings as ours

Coder = Callable[..., str]


@pytest.fixture
def throttled(settings: Any) -> None:
    """The limits as they are, counted from nothing, and by no other test."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": secrets.token_hex()}
    }
    settings.ACCOUNT_RATE_LIMITS = ours.ACCOUNT_RATE_LIMITS


@pytest.fixture
def code_of() -> Coder:
    """What an authenticator shows (RFC 6238), `later` half minutes from now."""

    def code(key: str, later: int = 0) -> str:
        counter = struct.pack(">Q", int(time.time()) // 30 + later)
        digest = hmac.new(base64.b32decode(key), counter, hashlib.sha1).digest()
        start = digest[-1] & 15
        number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
        return f"{number % 10**6:06}"

    return code
