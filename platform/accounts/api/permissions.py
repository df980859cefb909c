from django.core.exceptions import ImproperlyConfigured
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.api.models import ApiToken
from accounts.api.problems import Problem
from accounts.api.scopes import SCOPES


class MissingScope(Problem):
    status_code = 403
    default_code = "insufficient_scope"
    title = "The token lacks a scope"


class HasScope(BasePermission):
    """A token needs the scope that the view declares; whoever signed in to the pages has them all."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        scope = scope_of(view, request.method or "")
        if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes:
            raise MissingScope(f"This token lacks the scope {scope}: make one that has it.")
        return True


def scope_of(view: APIView, method: str) -> str:
    """What the view declares for its action, or else for reading or writing."""
    declared = getattr(view, "action_scopes", {}).get(getattr(view, "action", None))
    scope = declared or getattr(view, "read_scope" if method in SAFE_METHODS else "write_scope", "")
    if scope not in SCOPES:
        raise ImproperlyConfigured(f"{type(view).__name__} declares no scope for {method}.")
    return str(scope)
