"""What views under /api/ are made of, and the two that belong to nobody's stage."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpResponsePermanentRedirect
from django.urls import resolve
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from accounts.access import editable_teams, get_editable, get_readable, readable
from accounts.api.conditional import require_match, tag
from accounts.api.idempotency import HEADER, answer_once
from accounts.api.permissions import HasScope
from accounts.api.problems import Unprocessable
from accounts.api.throttling import RateLimit
from accounts.models import Team, User


class ApiView(APIView):
    """Declares `read_scope` and `write_scope`, or `action_scopes` of single actions.

    What a view writes, it writes in one transaction; a POST with an idempotency key happens once, unless its answer
    holds a secret, which is not to be kept: `secretive` names such actions. `lasting` names those that act elsewhere,
    where nothing can be taken back: what they write meanwhile stays written, whatever fails afterwards.
    """

    read_scope: ClassVar[str] = ""
    write_scope: ClassVar[str] = ""
    action_scopes: ClassVar[Mapping[str, str]] = {}
    secretive: ClassVar[Sequence[str]] = ()
    lasting: ClassVar[Sequence[str]] = ()
    permission_classes: list[type[BasePermission]] = [IsAuthenticated, HasScope]
    throttle_classes: list[type[BaseThrottle]] = [RateLimit]

    def perform_authentication(self, request: Request) -> None:
        """Counted before anything is looked at, so that guessing costs, too."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_permissions(self, request: Request) -> None:
        if not hasattr(self, (request.method or "").lower()):
            self.http_method_not_allowed(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Has been done."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        name = (request.method or "").lower()
        if request.method not in SAFE_METHODS and hasattr(self, name):
            setattr(self, name, partial(self.write, getattr(self, name)))

    @property
    def idempotent(self) -> bool:
        return getattr(self, "action", None) not in (*self.secretive, *self.lasting)

    def write(self, act: Callable[..., Response], request: Request, /, *args: Any, **kwargs: Any) -> Response:
        if getattr(self, "action", None) in self.lasting:
            return act(request, *args, **kwargs)
        with transaction.atomic():
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST" or not self.idempotent:
                return act(request, *args, **kwargs)
            return answer_once(self.user, key, request, lambda: act(request, *args, **kwargs))

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        standing = getattr(request._request, "rate_limit", None)
        for name, value in standing.headers().items() if standing else ():
            response.headers[name] = value
        if (
            request.method in ("GET", "HEAD", "PATCH", "PUT")
            and response.status_code == 200
            and hasattr(response, "data")
        ):
            tag(request, response)
        # What has a tag may be kept to be compared; all else is for this one reader at this one time.
        response.headers.setdefault("Cache-Control", f"private, {'no-cache' if 'ETag' in response else 'no-store'}")
        return response

    @property
    def user(self) -> User:
        """Whoever is let in is one."""
        assert isinstance(self.request.user, User)
        return self.request.user


class ResourceViewSet(ApiView, GenericViewSet[Any]):
    """Rows of the caller's teams. `access` names the functions of accounts.access that single actions ask; otherwise
    members read, and owners and editors write.
    """

    model: type[Model]
    serializer_class: type[BaseSerializer[Any]]
    access: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    lookup_field = "slug"
    lookup_value_regex = "[-a-zA-Z0-9_]+"
    newest_first = False

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()

    def get_queryset(self) -> QuerySet[Any]:
        return readable(self.rows(), self.request.user)

    def get_object(self) -> Any:
        """404 and 403 as on the pages. To be written to, the row is locked, and is what If-Match says it is."""
        row = self.find(self.rows() if self.reads else self.rows().select_for_update(of=("self",), no_key=True))
        if "If-Match" in self.request.headers:
            require_match(self.request, self.represent(row))
        return row

    def find(self, rows: QuerySet[Any]) -> Any:
        access = self.access.get(self.action or "") or (get_readable if self.reads else get_editable)
        return access(rows, self.request.user, **{self.lookup_field: self.kwargs[self.lookup_field]})

    @property
    def reads(self) -> bool:
        return self.request.method in SAFE_METHODS

    def represent(self, row: Any) -> Any:
        """What a GET answers."""
        return self.serializer_class(row, context=self.get_serializer_context()).data

    def made(self, row: Any, status: int = 201) -> Response:
        """The answer to what made a row: the row as a GET shows it, and where it is."""
        fresh = self.rows().get(pk=row.pk)
        where = f"{self.request.path}{getattr(fresh, self.lookup_field)}/"
        return Response(self.represent(fresh), status, headers={"Location": where})

    def paged(self, rows: QuerySet[Any]) -> Response:
        """A page of other rows than the view's own, by the serializer of the action."""
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class NowhereView(ApiView):
    """Whatever else is asked for under /api/."""

    permission_classes = [AllowAny]
    schema = None

    def check_permissions(self, request: Request) -> None:
        raise NotFound("There is no such address: /api/docs/ lists those there are.")


class SlashlessView(NowhereView):
    """An address without its last slash. Who reads is led on; what is sent would lose its body on the way."""

    def check_permissions(self, request: Request) -> None:
        if request.method in SAFE_METHODS:
            return
        right = f"{request.path_info}/"
        if issubclass(getattr(resolve(right).func, "cls", ApiView), NowhereView):
            super().check_permissions(request)
        raise NotFound(f"Addresses end in a slash, and nothing was done: send this to {right}.")

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponsePermanentRedirect:
        return HttpResponsePermanentRedirect(request._request.get_full_path(force_append_slash=True))


def team_for(user: User, pk: int | None) -> Team:
    """The team that something new is for: the one named, or the only one that the user edits."""
    if pk is not None:
        if not readable(Team.objects.all(), user).filter(pk=pk).exists():
            raise Unprocessable("You are in no such team.", "/team")
        return get_editable(Team.objects.all(), user, pk=pk)
    teams = list(editable_teams(user)[:2])
    if len(teams) > 1:
        raise Unprocessable("You edit in several teams: say which one this is for.", "/team")
    return teams[0] if teams else get_editable(Team.objects.all(), user, pk=_any_team(user))


def _any_team(user: User) -> int:
    """Of somebody who only reads, so that it is said so."""
    return user.teams.values_list("pk", flat=True).first() or 0
