"""What a new password ends besides sessions, which know it by a hash and end by themselves."""

from accounts.api.tokens import revoke_all
from accounts.auditing import Act, record
from accounts.models import User


def note_change(user: User) -> None:
    """Who knew the old password keeps their programs running: the page says which, and how to stop them."""
    _log(user, Act.PASSWORD_CHANGED)


def note_reset(user: User) -> None:
    """Whoever had the account till now, perhaps a thief, has it no longer, and neither have their programs."""
    _log(user, Act.PASSWORD_RESET)
    revoke_all(user)


def _log(user: User, act: Act) -> None:
    for team in user.teams.all():
        record(user, team, act, user)
