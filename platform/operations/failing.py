"""What is said where something broke: in words, and what to do; the traceback is in the log alone."""

import errno
import sys

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
INSUFFICIENT_STORAGE = 507


def tell_of_failure(request: HttpRequest) -> HttpResponse:
    """Django calls it while it handles the exception. Pages as without a session: that may be what broke."""
    error = sys.exc_info()[1]
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return HttpResponse(loader.get_template("507.html").render(), status=INSUFFICIENT_STORAGE)
    return server_error(request)
