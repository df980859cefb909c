"""Requests that nothing here can answer."""

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse


def refuse_nul(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """400 where a query asks for U+0000, which no text in PostgreSQL can hold: a search for it is an error there."""

    def refuse(request: HttpRequest) -> HttpResponse:
        if "%00" in request.META.get("QUERY_STRING", ""):
            raise SuspiciousOperation("The address holds a character that no text has.")
        return answer(request)

    return refuse
