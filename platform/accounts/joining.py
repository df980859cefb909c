"""Nobody works without a team: whoever has none founds one."""

from django.db import transaction

from accounts.access import editable_teams, found_team
from accounts.models import Membership, Team, User


class TeamError(Exception):
    """What was asked of a team cannot be done: says what to do."""


def ensure_team(user: User) -> Team:
    """The user's first team; a new one where there is none."""
    with transaction.atomic():
        User.objects.select_for_update(of=("self",)).get(pk=user.pk)
        membership = Membership.objects.filter(user=user).select_related("team").order_by("pk").first()
        return membership.team if membership else found_team(user, f"{user.username}'s team")


def current_team(user: User) -> Team | None:
    """The team that new things are proposed to belong to: the chosen one, else the first that the user edits."""
    teams = editable_teams(user).order_by("memberships__pk")
    return teams.filter(pk=user.current_team_id or 0).first() or teams.first()


def choose_team(name: str) -> Team:
    """For commands: the team of this name, or the only one there is."""
    if name:
        named = list(Team.objects.filter(name=name)[:2])
        if len(named) != 1:
            raise TeamError(f"{'Several teams are' if named else 'No team is'} called {name!r}: {_known()}.")
        return named[0]
    if not Team.objects.exists() and User.objects.count() == 1:
        return ensure_team(User.objects.get())
    if Team.objects.count() != 1:
        raise TeamError(f"Which team? Say --team NAME: {_known()}.")
    return Team.objects.get()


def _known() -> str:
    names = ", ".join(Team.objects.order_by("name").values_list("name", flat=True)[:20])
    return (
        f"the teams are {names}"
        if names
        else "there is none yet; make a user with `manage.py createsuperuser`, and sign in once"
    )
