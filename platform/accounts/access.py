"""Who may see and change what: everything is owned by a team, and reached only through these functions."""

from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import Membership, Team, User

M = TypeVar("M", bound=Model)
EDITING = [Membership.Role.OWNER, Membership.Role.EDITOR]
OWNING = [Membership.Role.OWNER]


def readable(rows: QuerySet[M], user: User | AnonymousUser) -> QuerySet[M]:
    """The rows of the user's teams. The model has a `team`, or is the team."""
    teams = Team.objects.filter(memberships__user_id=_id(user))
    return rows.filter(pk__in=teams) if rows.model is Team else rows.filter(team__in=teams)


def get_readable(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """404 for what the user may not even know of, and for names with NUL, which the database could not look for."""
    if any("\0" in value for value in lookup.values() if isinstance(value, str)):
        raise Http404
    return get_object_or_404(readable(rows, user), **lookup)


def get_editable(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """404 as above; 403 for an analyst, who only reads."""
    return _get(EDITING, "You can look at this, but not change it. Ask an owner of the team.", rows, user, lookup)


def get_supervised(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """For what shows data about workers: their answers about themselves, pay, comments, times, ways in.
    404 as above; 403 for an analyst, who gets judgments and reports under pseudonyms."""
    return _get(
        EDITING,
        "This shows data about workers, which analysts do not see. Ask an owner of the team.",
        rows,
        user,
        lookup,
    )


def get_owned(rows: QuerySet[M], user: User | AnonymousUser, **lookup: Any) -> M:
    """404 as above; 403 for all but owners of the team."""
    return _get(OWNING, "Only an owner of the team can do this. Ask one.", rows, user, lookup)


def _get(
    roles: list[Membership.Role], refusal: str, rows: QuerySet[M], user: User | AnonymousUser, lookup: dict[str, Any]
) -> M:
    row = get_readable(rows, user, **lookup)
    team = row if isinstance(row, Team) else row.team  # type: ignore[attr-defined]
    if not _has(roles, user, team):
        raise PermissionDenied(refusal)
    return row


def may_edit(user: User | AnonymousUser, team: Team) -> bool:
    return _has(EDITING, user, team)


def may_supervise(user: User | AnonymousUser, team: Team) -> bool:
    """Whether the user sees data about workers."""
    return _has(EDITING, user, team)


def may_own(user: User | AnonymousUser, team: Team) -> bool:
    return _has(OWNING, user, team)


def _has(roles: list[Membership.Role], user: User | AnonymousUser, team: Team) -> bool:
    return Membership.objects.filter(team=team, user_id=_id(user), role__in=roles).exists()


def hold_role(user: User, team: Team, roles: list[Membership.Role]) -> None:
    """Within the transaction of an act: whoever takes this role away has been waited for, or waits until its end.

    What was asked before the act began may be over by now. Two acts of one person do not wait for each other.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM accounts_membership WHERE user_id = %s AND team_id = %s AND role = ANY(%s) FOR SHARE",
            [user.pk, team.pk, list(map(str, roles))],
        )
        if not cursor.rowcount:
            raise PermissionDenied("Your role in the team has changed meanwhile: nothing was done.")


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
