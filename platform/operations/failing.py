"""What is said where something broke: in words, and what to do; the traceback is in the log alone.

Django calls these outside of all views. A program that asks the API gets the same problems as from its views.
"""

import logging
import sys

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.translation import override
from django.views import csrf, defaults

from accounts.api.problems import NoRoom, TooLarge, Unavailable, has_no_room, is_out_of_reach, problem_of
from judging.speaking import spoken_by

API, WORKERS = "/api/", "/w/"
FORM = "application/x-www-form-urlencoded"
# Parts of names of what is not written into a page, even to be sent again.
UNTOLD = ("password", "code")
logger = logging.getLogger("django.request")


def tell_of_failure(request: HttpRequest) -> HttpResponse:
    """While the exception is handled. Pages as without a session: that may be what broke."""
    error = sys.exc_info()[1] or RuntimeError()
    response = problem_of(error) if request.path.startswith(API) else _page_of(request, error)
    if is_out_of_reach(error):
        # One line: whatever was being done has no part in it, and thousands may ask meanwhile.
        logger.warning("The database cannot be reached: %s %s", request.method, request.path)
        response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _page_of(request: HttpRequest, error: BaseException) -> HttpResponse:
    if has_no_room(error):
        return HttpResponse(loader.get_template("507.html").render(), status=NoRoom.status_code)
    if isinstance(error, OperationalError | InterfaceError):
        return _tell_to_wait(request)
    return defaults.server_error(request)


def _tell_to_wait(request: HttpRequest) -> HttpResponse:
    """What was filled in is there to be sent again; who asks is not known without the database."""
    name = "worker/unreachable.html" if request.path.startswith(WORKERS) else "503.html"
    with override(spoken_by(request, None) if request.path.startswith(WORKERS) else "en"):
        page = loader.get_template(name).render({"sent": _sent(request), "posted": request.method == "POST"})
    headers = {"Retry-After": str(Unavailable.wait), "Cache-Control": "no-store"}
    return HttpResponse(page, status=Unavailable.status_code, headers=headers)


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of a form, where all of them can be sent again by a click."""
    if request.method != "POST" or request.content_type != FORM:
        return []
    try:
        sent = [(name, value) for name, values in request.POST.lists() for value in values]
    except (RequestDataTooBig, SuspiciousOperation, OSError):
        return []
    return [] if any(part in name for name, _ in sent for part in UNTOLD) else sent


def tell_of_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problem_of(exception)
    if isinstance(exception, RequestDataTooBig):
        page = loader.get_template("413.html").render({"most": settings.MAX_UPLOAD_MEGABYTES})
        return HttpResponse(page, status=TooLarge.status_code)
    return defaults.bad_request(request, exception)


def tell_of_refusal(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem_of(exception) if request.path.startswith(API) else defaults.permission_denied(request, exception)


def tell_of_nothing(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem_of(exception) if request.path.startswith(API) else defaults.page_not_found(request, exception)


def tell_of_forgery(request: HttpRequest, reason: str = "") -> HttpResponse:
    if request.path.startswith(API):
        return problem_of(PermissionDenied(f"CSRF: {reason}"))
    return csrf.csrf_failure(request, reason)
