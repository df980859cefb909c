"""One request, of bounded length in every way: it is answered within seconds, or has failed."""

import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import certifi
import httpcore

from webhooks.addressing import Guarded, Refused

SECONDS = 10.0
# Of an answer, for the log.
EXCERPT = 2000
GONE = 410


@dataclass(frozen=True)
class Answer:
    """`status` is None where none came; `error` says why, or why this answer is no success."""

    status: int | None
    milliseconds: int
    response: str = ""
    error: str = ""

    @property
    def arrived(self) -> bool:
        return not self.error


def post(url: str, headers: dict[str, str], body: bytes, seconds: float = SECONDS) -> Answer:
    """Redirects are not followed, and nothing is sent inside: see `addressing`."""
    started = time.monotonic()
    try:
        status, response = _request(url, headers, body, seconds)
    except Exception as error:  # Whatever a stranger's server or address does, it is an attempt that failed.
        return Answer(None, _since(started), error=_reason(error))
    return Answer(status, _since(started), response, _complaint(status))


def _request(url: str, headers: dict[str, str], body: bytes, seconds: float) -> tuple[int, str]:
    network = Guarded(seconds, plain=urlsplit(url).scheme == "http")
    with (
        httpcore.ConnectionPool(ssl_context=_certificates(), network_backend=network) as pool,
        pool.stream("POST", url, headers=_headers(headers, body), content=body) as answer,
    ):
        return answer.status, _beginning(answer.iter_stream())


def _beginning(parts: Iterable[bytes]) -> str:
    read = b""
    for part in parts:
        read += part[: EXCERPT - len(read)]
        if len(read) >= EXCERPT:
            break
    return read.decode("utf-8", "replace").replace("\0", "\ufffd")


def _headers(headers: dict[str, str], body: bytes) -> list[tuple[bytes, bytes]]:
    every = {"Content-Type": "application/json", "Content-Length": str(len(body)), "User-Agent": "Peekaword", **headers}
    return [(name.encode(), value.encode()) for name, value in every.items()]


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certifi.where())


def _complaint(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"It answered {status}, and redirects are not followed: name the address that it leads to."
    return "It answered 410: it is gone." if status == GONE else f"It answered {status}."


def _reason(error: Exception) -> str:
    if isinstance(error, Refused):
        return str(error)[:300]
    if isinstance(error, httpcore.TimeoutException):
        return f"It did not answer within {SECONDS:g} seconds."
    said = str(error) or type(error).__name__
    return f"It could not be reached: {said}"[:300]


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
