"""What drf-spectacular is told of every operation: its scope, its headers, and the problems it may answer with."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS, AllowAny

from accounts.api.idempotency import HEADER
from accounts.api.permissions import scope_of
from accounts.api.problems import MEDIA_TYPE, ProblemSerializer
from accounts.api.scopes import SCOPES

MEANINGS = {
    "400": "The request is not as this schema says",
    "401": "No credentials, or none that work",
    "403": "A scope or a role is missing",
    "404": "There is nothing here that you may see",
    "406": "No representation that is accepted",
    "409": "The state of things does not allow it, or a request with this idempotency key is under way",
    "412": "It has changed since If-Match's ETag",
    "413": "The body is too large",
    "414": "The address is too long",
    "415": "The body's media type is not taken here",
    "422": "It makes sense and cannot be done, or the idempotency key belongs to another request",
    "429": "Too many requests: wait as Retry-After says",
    "500": "The fault is the server's",
    "503": "Not now: the database or the queue cannot be reached",
}
EVERYWHERE = ("400", "406", "429", "500", "503")


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "Scopes: " + _listed(SCOPES)}

    def get_security_requirement(self, auto_schema: AutoSchema) -> dict[str, list[str]]:
        return {self.name: [scope_of(auto_schema.view, auto_schema.method)] if _guarded(auto_schema.view) else []}


class BrowserScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.api.authentication.BrowserAuthentication"
    name = "browser"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        description = "Being signed in to the pages; what changes something needs the header X-CSRFToken."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": description}


class ApiSchema(AutoSchema):
    def get_override_parameters(self) -> list[Any]:
        return [*super().get_override_parameters(), *self._headers()]

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def _headers(self) -> Iterator[OpenApiParameter]:
        if self.method == "POST" and getattr(self.view, "idempotent", False):
            said = "A new key for each new request: sent again with it, the request happens once. Kept for 24 hours."
            yield _header(HEADER, said, pattern="^[!-~]{1,255}$")
        if self.method in SAFE_METHODS:
            yield _header("If-None-Match", "The ETag that you have: 304 where it is still right.")
        elif self._names_one():
            yield _header("If-Match", "The ETag that you read: 412 where it is no longer right.")
        for name, said in (
            ("RateLimit-Policy", "How many requests (q) in how many seconds (w)"),
            ("RateLimit", "How many are left (r), and for how many seconds (t)"),
        ):
            yield OpenApiParameter(name, str, OpenApiParameter.HEADER, response=True, description=said)

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        answers: dict[str, Any] = super()._get_response_bodies(direction)
        if self.method in SAFE_METHODS and "200" in answers:
            answers["304"] = {"description": "As the ETag of If-None-Match says"}
        answer: Any = self._get_response_for_code
        if any(one["in"] == "query" for one in self._get_parameters()):
            answers["414"] = {"description": MEANINGS["414"]}
        for status in self._problems():
            problem = OpenApiResponse(ProblemSerializer, MEANINGS[status])
            answers.setdefault(status, answer(problem, status, [MEDIA_TYPE], direction))
        return answers

    def _problems(self) -> Iterator[str]:
        yield from EVERYWHERE
        yield from ("401", "403") if _guarded(self.view) else ()
        yield from ("404",) if "{" in self.path else ()
        if self.method not in SAFE_METHODS:
            yield from ("409", "413", "415", "422")
            yield from ("412",) if self._names_one() else ()

    def _names_one(self) -> bool:
        return "{" in self.path


def may_answer(*statuses: int) -> dict[tuple[str, str], OpenApiResponse]:
    """Problems of one operation, besides those that all of its kind have."""
    return {(str(status), MEDIA_TYPE): OpenApiResponse(ProblemSerializer, MEANINGS[str(status)]) for status in statuses}


def _guarded(view: Any) -> bool:
    return AllowAny not in [type(permission) for permission in view.get_permissions()]


def _header(name: str, description: str, pattern: str | None = None) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=description, pattern=pattern)


def _listed(scopes: dict[str, str]) -> str:
    return "; ".join(f"`{name}`: {said[0].lower()}{said[1:]}" for name, said in scopes.items()) + "."
