"""One id for all that a request sets off: it is in its log lines, and in those of the tasks that it asks for.

On the worker's path this costs one assignment; an id is made where something is said.
"""

import re
import secrets
from collections.abc import Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
_ENVIRONED, _MADE = "HTTP_X_REQUEST_ID", "peekaword.request_id"
_WELL_FORMED = re.compile(r"[\w.-]{8,64}", re.ASCII)
_NOTHING: dict[str, Any] = {}
# The environment of the request, or what is known of the task, that is being served.
_current: ContextVar[MutableMapping[str, Any]] = ContextVar("current", default=_NOTHING)


def identify(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _current.set(request.META)
        response = get_response(request)
        if not request.path_info.startswith("/w/"):
            response[HEADER] = request_id(request.META)
        return response

    return middleware


def request_id(environ: MutableMapping[str, Any]) -> str:
    """The proxy's where there is one that we trust, and chance otherwise."""
    if _MADE not in environ:
        given = environ.get(_ENVIRONED, "") if settings.SECURE_PROXY_SSL_HEADER else ""
        environ[_MADE] = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
    return str(environ[_MADE])


def current_ids() -> dict[str, str]:
    """For a log line: `request_id`, and in a task also `task_id` and `task`. Empty outside of both."""
    current = _current.get()
    if current is _NOTHING:
        return {}
    if "task_id" not in current:
        return {"request_id": request_id(current)}
    return {name: value for name, value in current.items() if value}


def listen() -> None:
    """A task carries the id of the request, or of the task, that asked for it."""
    before_task_publish.connect(_send_along)
    task_prerun.connect(_take_up)
    task_postrun.connect(_forget)


def _send_along(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None:
        headers.setdefault("request_id", current_ids().get("request_id", ""))


def _take_up(task_id: str, task: Any, **_: Any) -> None:
    asked_by = str(task.request.get("request_id") or "")
    _current.set({"task_id": task_id, "task": task.name, "request_id": asked_by})


def _forget(**_: Any) -> None:
    _current.set(_NOTHING)
