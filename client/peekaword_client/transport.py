"""Requests that arrive once: tried again where that cannot do a thing twice, and paced as the server asks."""

import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx

from peekaword_client.errors import ApiError, NotReached

ATTEMPTS = 6
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
BUSY = {429, 502, 503, 504}
UNDER_WAY = "idempotency_key_in_use"
Param = str | int | float | bool
Params = Mapping[str, Param | Sequence[Param] | None]


class Transport:
    def __init__(
        self,
        url: str,
        token: str,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "peekaword-client/0.1"} if token else {}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)
        self.pause = pause

    def get(self, path: str, params: Params | None = None) -> Any:
        return self.send("GET", path, params=params).json()

    def read(self, path: str, params: Params | None = None) -> bytes:
        return self.send("GET", path, params=params).content

    def post(self, path: str, body: Mapping[str, Any] | None = None, once: bool = True) -> Any:
        """Under a key, by which the server does it once. `once` is False where answers are secrets, of which it keeps
        none: then a request whose answer was lost is not sent again."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if once else {}
        answer = self.send("POST", path, json=dict(body or {}), headers=headers, repeatable=once)
        return answer.json() if answer.content else None

    def patch(self, path: str, body: Mapping[str, Any], etag: str = "") -> Any:
        headers = {"If-Match": etag} if etag else {}
        return self.send("PATCH", path, json=dict(body), headers=headers, repeatable=not etag).json()

    def delete(self, path: str) -> None:
        self.send("DELETE", path)

    def pages(self, path: str, params: Params | None = None) -> Iterator[Any]:
        """Every row of every page."""
        page = self.get(path, params)
        yield from page["results"]
        while page["next"]:
            # Only the query is taken: the token goes nowhere but to our server.
            page = self.get(f"{path}?{urlsplit(page['next']).query}")
            yield from page["results"]

    def lines(self, path: str, params: Params | None = None) -> Iterator[Any]:
        """Rows as they come, in little memory. A connection that breaks on the way raises."""
        with self._streamed(path, params) as answer:
            for line in answer.iter_lines():
                if line:
                    yield json.loads(line)

    @contextmanager
    def _streamed(self, path: str, params: Params | None) -> Iterator[httpx.Response]:
        with self.http.stream("GET", path, params=_asked(params)) as answer:
            if answer.is_error:
                answer.read()
                raise _error(answer)
            yield answer

    def send(
        self, method: str, path: str, params: Params | None = None, repeatable: bool = True, **sent: Any
    ) -> httpx.Response:
        """An answer that is no error. Where no answer comes, it is asked again only if `repeatable`."""
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                answer = self.http.request(method, path, params=_asked(params), **sent)
            except httpx.TransportError as error:
                if last or not (repeatable or isinstance(error, httpx.ConnectError)):
                    raise NotReached(f"{method} {self.http.base_url}{path}: {error}") from error
                self.pause(_pause(attempt))
                continue
            if not answer.is_error:
                return answer
            if last or not _may_try_again(answer, repeatable):
                raise _error(answer)
            self.pause(_wanted(answer) or _pause(attempt))
        raise AssertionError("The last attempt returns or raises.")

    def close(self) -> None:
        self.http.close()


def _may_try_again(answer: httpx.Response, repeatable: bool) -> bool:
    """Who asked too often was not served; of gateways nobody knows."""
    if answer.status_code == 429:
        return True
    return repeatable and (answer.status_code in BUSY or _problem(answer).get("code") == UNDER_WAY)


def _pause(attempt: int) -> float:
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (attempt - 1)) * random.uniform(1, 1.5)


def _wanted(answer: httpx.Response) -> float:
    said = answer.headers.get("Retry-After", "")
    return min(120.0, float(said)) if said.isdigit() else 0.0


def _asked(params: Params | None) -> dict[str, str | list[str]] | None:
    if params is None:
        return None
    return {name: _spelt(value) for name, value in params.items() if value is not None}


def _spelt(value: Param | Sequence[Param]) -> str | list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_word(one) for one in value]
    return _word(value)


def _word(value: Param) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _error(answer: httpx.Response) -> ApiError:
    return ApiError(answer.status_code, _problem(answer) or {"detail": answer.text[:300]})


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        said = answer.json()
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
