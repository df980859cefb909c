"""Who did what, when: one row an act, in the act's own transaction, never changed."""

from django.db.models import Model

from accounts.access import EDITING, OWNING, hold_role
from accounts.acts import EDITORS, OWNERS, Act
from accounts.models import AuditEntry, Team, User

__all__ = ["Act", "record"]


def record(actor: User | None, team: Team, act: Act, subject: Model | str, **detail: object) -> None:
    """Nobody is the actor of what a command or a task does. The subject's name is kept as it was at the time;
    workers stand in details by their number alone. PermissionDenied where the actor has lost the role meanwhile."""
    if actor and act in OWNERS | EDITORS:
        hold_role(actor, team, OWNING if act in OWNERS else EDITING)
    AuditEntry.objects.create(
        team=team,
        actor=actor,
        actor_name=actor.get_username() if actor else "",
        act=act,
        subject_kind="" if isinstance(subject, str) else str(subject._meta.verbose_name),
        subject_key=None if isinstance(subject, str) else subject.pk,
        subject_name=str(subject)[:200],
        detail={name: _plain(value) for name, value in detail.items()},
    )


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float) else str(value)
