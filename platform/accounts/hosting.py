"""allauth's middleware stands around the pages that need it, and costs no other request anything."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from allauth.account.middleware import AccountMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.template.response import SimpleTemplateResponse

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


def hosted(view: V) -> V:
    @wraps(view)
    def within(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        def answer(request: HttpRequest) -> HttpResponseBase:
            try:
                response = view(request, *args, **kwargs)
            except Exception as error:
                told: HttpResponseBase | None = middleware.process_exception(request, error)
                if told is None:
                    raise
                return told
            # Templates ask for the request too.
            return response.render() if isinstance(response, SimpleTemplateResponse) else response

        middleware = AccountMiddleware(answer)
        answered: HttpResponseBase = middleware(request)
        return answered

    return within  # type: ignore[return-value]
