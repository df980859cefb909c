"""What is said where something broke: in words, and what to do; the traceback is in the log alone.

Django calls these outside of all views. A program that asks the API gets the same problems as from its views.
"""

import errno
import sys

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import csrf, defaults

from accounts.api.problems import problem_of

API = "/api/"
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
INSUFFICIENT_STORAGE = 507


def tell_of_failure(request: HttpRequest) -> HttpResponse:
    """While the exception is handled. Pages as without a session: that may be what broke."""
    error = sys.exc_info()[1]
    if request.path.startswith(API):
        return problem_of(error or RuntimeError())
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return HttpResponse(loader.get_template("507.html").render(), status=INSUFFICIENT_STORAGE)
    return defaults.server_error(request)


def tell_of_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem_of(exception) if request.path.startswith(API) else defaults.bad_request(request, exception)


def tell_of_refusal(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem_of(exception) if request.path.startswith(API) else defaults.permission_denied(request, exception)


def tell_of_nothing(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem_of(exception) if request.path.startswith(API) else defaults.page_not_found(request, exception)


def tell_of_forgery(request: HttpRequest, reason: str = "") -> HttpResponse:
    if request.path.startswith(API):
        return problem_of(PermissionDenied(f"CSRF: {reason}"))
    return csrf.csrf_failure(request, reason)
