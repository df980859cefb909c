"""Who may see and change what: everything is owned by a team, and reached only through these functions."""

from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import Membership, Team, User

M = TypeVar("M", bound=Model)
EDITING = [Membership.Role.OWNER, Membership.Role.EDITOR]


def readable(rows: QuerySet[M], user: User | AnonymousUser) -> QuerySet[M]:
    """The rows of the user's teams. The model has a `team`."""
    return rows.filter(team__in=Team.objects.filter(memberships__user_id=_id(user)))


def get_readable(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """404 for what the user may not even know of, and for names with NUL, which the database could not look for."""
    if any("\0" in value for value in lookup.values() if isinstance(value, str)):
        raise Http404
    return get_object_or_404(readable(rows, user), **lookup)


def get_editable(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """404 as above; 403 for a member who only reads."""
    row = get_readable(rows, user, **lookup)
    if not may_edit(user, row.team):  # type: ignore[attr-defined]
        raise PermissionDenied("You can look at this, but not change it. Ask an owner of the team.")
    return row


def may_edit(user: User | AnonymousUser, team: Team) -> bool:
    return Membership.objects.filter(team=team, user_id=_id(user), role__in=EDITING).exists()


def editable_teams(user: User | AnonymousUser) -> QuerySet[Team]:
    return Team.objects.filter(memberships__user_id=_id(user), memberships__role__in=EDITING)


def found_team(user: User, name: str) -> Team:
    """A new team that this user owns."""
    team = Team.objects.create(name=name)
    Membership.objects.create(team=team, user=user, role=Membership.Role.OWNER)
    return team


def _id(user: User | AnonymousUser) -> int:
    """Nobody has the id 0, so an anonymous user reaches nothing."""
    return user.pk or 0
