"""Whoever was signed out meanwhile comes back to the page they were on, not to what it asked for in their name."""

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

Respond = Callable[[HttpRequest], HttpResponse]


def come_back(get_response: Respond) -> Respond:
    """What a form would have done has an address without a page; a part of a page is no page at all."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        part = request.method == "GET" and "HX-Request" in request.headers
        if response.status_code != 302 or not (part or request.method == "POST"):
            return response
        sign_in = f"{reverse('login')}?"
        page = _page_of(request)
        if not page or not response.headers["Location"].startswith(sign_in):
            return response
        address = sign_in + urlencode({"next": page})
        if part:
            return HttpResponse(headers={"HX-Redirect": address})
        response.headers["Location"] = address
        return response

    return respond


def _page_of(request: HttpRequest) -> str:
    """Where the request came from; empty where nobody says, or it is not this site or a page to sign in."""
    found = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
    if found.netloc != request.get_host() or found.path.startswith(reverse("login")):
        return ""
    return found._replace(scheme="", netloc="", fragment="").geturl()
