"""Roles change and people leave, but no team is ever without an owner: every change waits for the team's row."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from accounts.access import found_team
from accounts.auditing import Act, record
from accounts.inviting import withdraw_all
from accounts.joining import TeamError
from accounts.models import Membership, Team, User

Role = Membership.Role


def found(user: User, name: str) -> Team:
    with transaction.atomic():
        team = found_team(user, name)
        record(user, team, Act.TEAM_FOUNDED, team)
    return team


def rename(team: Team, name: str, by: User) -> None:
    with transaction.atomic():
        record(by, team, Act.TEAM_RENAMED, team, to=name)
        team.name = name
        team.save(update_fields=["name"])


def change_role(membership: Membership, role: str, by: User) -> None:
    with _alone(membership) as current:
        if current.role != role:
            if current.role == Role.OWNER:
                _refuse_the_last_owner(current)
            record(by, current.team, Act.ROLE_CHANGED, current.user, before=current.role, now=role)
            if role != Role.OWNER:
                withdraw_all(current.team, current.user, by)
            current.role = role
            current.save(update_fields=["role"])


def remove(membership: Membership, by: User) -> None:
    """Whether somebody else is removed or leaves by themselves. What they made stays with the team."""
    with _alone(membership) as current:
        if current.role == Role.OWNER:
            _refuse_the_last_owner(current)
        left = current.user == by
        record(by, current.team, Act.LEFT if left else Act.REMOVED, current.team if left else current.user)
        User.objects.filter(pk=current.user_id, current_team=current.team_id).update(current_team=None)
        withdraw_all(current.team, current.user, by)
        current.delete()


@contextmanager
def _alone(membership: Membership) -> Iterator[Membership]:
    """The membership as it is once all who change this team's members have done so."""
    with transaction.atomic():
        # Not keyed: what others write for the team meanwhile, such as their log, does not wait for this.
        Team.objects.select_for_update(no_key=True).get(pk=membership.team_id)
        current = Membership.objects.select_related("user", "team").filter(pk=membership.pk).first()
        if current is None:
            raise TeamError("This person is no longer in the team.")
        yield current


def _refuse_the_last_owner(membership: Membership) -> None:
    if not Membership.objects.filter(team=membership.team_id, role=Role.OWNER).exclude(pk=membership.pk).exists():
        raise TeamError(f"{membership.user} is the last owner of {membership.team}. Make somebody else an owner first.")
