"""Every error under /api/ is a problem of RFC 9457: what kind, what happened, and where in the body the fault lies."""

import errno
import json
import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import set_rollback

MEDIA_TYPE = "application/problem+json"
# Where the page of the API says what each kind means.
KINDS = "/api/docs/#problem-"
TITLES = {
    "parse_error": "The body cannot be read",
    "invalid": "The request is not as the schema says",
    "authentication_failed": "The credentials do not work",
    "not_authenticated": "Credentials are missing",
    "permission_denied": "You may not do this",
    "not_found": "There is nothing here",
    "method_not_allowed": "The method is not for this address",
    "not_acceptable": "No representation that is accepted",
    "unsupported_media_type": "The body's media type is not taken here",
    "throttled": "Too many requests",
    "error": "Something went wrong here",
}
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
DISK_FULL = "53100"
# Connections lost and refused; shut down, crashed, starting; too many of them.
AWAY = ("08", "57P0", "53300")
logger = logging.getLogger("django.request")


class Problem(exceptions.APIException):
    """An error of ours; subclasses say status, code and title."""

    title = ""


class Unprocessable(Problem):
    """The body is as the schema says, and yet cannot be done: the message says why, `errors` where."""

    status_code = 422
    default_code = "unprocessable"
    title = "The request makes sense and cannot be done"

    def __init__(self, detail: str, pointer: str = "") -> None:
        super().__init__(detail)
        self.pointer = pointer


class Unfit(exceptions.ValidationError):
    """As `Unprocessable`, with everything that is wrong: {member: messages, ...}."""

    status_code = 422
    default_code = "unprocessable"
    title = Unprocessable.title


class Conflict(Problem):
    status_code = 409
    default_code = "conflict"
    title = "The state of things does not allow it"


class TooLarge(Problem):
    status_code = 413
    default_code = "too_large"
    title = "The body is too large"
    default_detail = "The body is larger than this server takes at once."


class Unavailable(Problem):
    status_code = 503
    default_code = "unavailable"
    title = "Not now"
    default_detail = "The database cannot be reached just now: try again in a moment."
    wait = 5


class NoRoom(Problem):
    status_code = 507
    default_code = "no_room"
    title = "No room is left"
    default_detail = "No room is left on this server's disk, and nothing of this was stored: tell whoever runs it."


class ErrorSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField(help_text="JSON pointer into the body, or the name of a parameter")
    detail = serializers.CharField()
    code = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="Where the kind of problem is described")
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = ErrorSerializer(many=True, required=False)  # type: ignore[assignment]


def answer_problem(error: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler: nothing leaves the API as a page or a traceback."""
    known = _known(error)
    request = context["request"]
    if is_out_of_reach(error):
        logger.warning("The database cannot be reached: %s %s", request.method, request.path)
    elif known.status_code >= 500:
        logger.error("%s: %s", known.default_detail, request.path, exc_info=error)
        got_request_exception.send(sender=type(context["view"]), request=request._request)
    set_rollback()
    return Response(describe(known), status=known.status_code, headers=_headers(known), content_type=MEDIA_TYPE)


def problem_of(error: BaseException) -> HttpResponse:
    """The same answer to what goes wrong before, or without, a view of the API."""
    known = _known(error)
    body = json.dumps(describe(known))
    return HttpResponse(body, status=known.status_code, headers=_headers(known), content_type=MEDIA_TYPE)


def describe(error: exceptions.APIException) -> dict[str, Any]:
    code, errors = error.default_code, list(_errors(error))
    title = getattr(error, "title", "") or TITLES.get(code, TITLES["error"])
    detail = error.detail if isinstance(error.detail, str) else "See errors for what is expected where."
    body = {"type": f"{KINDS}{code}", "title": title, "status": error.status_code, "code": code, "detail": str(detail)}
    return body | ({"errors": errors} if errors else {})


def has_no_room(error: BaseException | None) -> bool:
    """Of the disk of files, or of the database's."""
    return (isinstance(error, OSError) and error.errno in FULL) or _state_of(error) == DISK_FULL


def is_out_of_reach(error: BaseException | None) -> bool:
    """The database itself, whatever it was asked: it is away, ends, starts, or takes no more connections."""
    if isinstance(error, InterfaceError):
        return "connection" in str(error)
    state = _state_of(error)
    return isinstance(error, OperationalError) and (state is None or state.startswith(AWAY))


def _state_of(error: BaseException | None) -> str | None:
    """Postgres' SQLSTATE; None where the connection was lost before there could be one."""
    return getattr(error.__cause__, "pgcode", None) if isinstance(error, OperationalError) else None


def _known(error: BaseException) -> exceptions.APIException:
    if isinstance(error, exceptions.APIException):
        return error
    if isinstance(error, Http404):
        return exceptions.NotFound("There is nothing here that you may see.")
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied(str(error) or None)
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, DisallowedHost):
        return exceptions.ParseError("This server does not answer to the name in the Host header.")
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError("The request cannot be read.")
    if has_no_room(error):
        return NoRoom()
    if isinstance(error, OperationalError | InterfaceError):
        return Unavailable()
    return exceptions.APIException("The fault is this server's, and was logged. Nothing was changed.")


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {"WWW-Authenticate": getattr(error, "auth_header", None), "Retry-After": getattr(error, "wait", None)}
    found = {
        name: str(value if isinstance(value, str) else int(-(-value // 1))) for name, value in headers.items() if value
    }
    return found | getattr(error, "headers", {})


def _errors(error: exceptions.APIException) -> Iterator[dict[str, str]]:
    if isinstance(error, exceptions.ValidationError):
        yield from _flat(error.get_full_details(), "")
    elif isinstance(error, Unprocessable) and error.pointer:
        yield {"pointer": error.pointer, "detail": str(error.detail), "code": error.default_code}


def _flat(details: Any, pointer: str) -> Iterator[dict[str, str]]:
    if isinstance(details, dict) and set(details) == {"message", "code"} and isinstance(details["code"], str):
        yield {"pointer": pointer, "detail": str(details["message"]), "code": details["code"]}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from _flat(inner, pointer if name == "non_field_errors" else f"{pointer}/{name}")
    else:
        leaves = all("message" in one and "code" in one for one in details if isinstance(one, dict))
        for number, inner in enumerate(details):
            yield from _flat(inner, pointer if leaves else f"{pointer}/{number}")
