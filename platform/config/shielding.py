"""What browsers may do with our pages. Each policy is written once: every request of a worker passes here."""

from collections.abc import Callable
from functools import lru_cache

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

# Addresses that hold a pass: no other site, and no log of one, is to learn them from a link that is followed.
PASSES = "/w/"
# Nothing here needs any of them, nor does a page that somebody smuggles in.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope",
        "hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
    )
)  # fmt: skip
# Of what somebody is let in to see, no browser and no proxy keeps a copy that outlives the sign-out.
KEPT_BY_NOBODY = "private, no-store"
GetResponse = Callable[[HttpRequest], HttpResponseBase]


def shield(get_response: GetResponse) -> GetResponse:
    """Adds the headers. A view that needs another policy marks its response as django-csp has it, by `_csp_replace`."""
    usual = build_policy()

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        headers, replaced = response.headers, getattr(response, "_csp_replace", None)
        if not settings.DEBUG or response.status_code not in (404, 500):  # Django's own pages of faults are inline.
            headers[HEADER] = usual if replaced is None else _replaced(_frozen(replaced))
        headers["Permissions-Policy"] = PERMISSIONS
        if request.path_info.startswith(PASSES):
            headers["Referrer-Policy"] = "no-referrer"
        if _is_somebodys(request):
            headers.setdefault("Cache-Control", KEPT_BY_NOBODY)
        return response

    return respond


def _is_somebodys(request: HttpRequest) -> bool:
    """By what was sent along, whether or not it is right: that would cost a query."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "HTTP_AUTHORIZATION" in request.META


Frozen = tuple[tuple[str, tuple[str, ...]], ...]


def _frozen(directives: dict[str, list[str]]) -> Frozen:
    return tuple((name, tuple(values)) for name, values in directives.items())


@lru_cache(maxsize=64)
def _replaced(directives: Frozen) -> str:
    return build_policy(replace=dict(directives))
