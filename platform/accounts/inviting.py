"""People come into a team by invitations: each lets one person in, once, for some days."""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.auditing import Act, record
from accounts.joining import TeamError
from accounts.models import Invitation, Membership, Team, User

DAYS_OPEN = 7
OVER = "This invitation is used, withdrawn or too old. Ask whoever sent it for a new one."


def invite(team: Team, by: User, role: str, email: str = "") -> tuple[Invitation, str]:
    """The invitation and its token, which is known at this moment only. An older one to the same address ends."""
    email = email.strip().lower()
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        if email and team.members.filter(email__iexact=email).exists():
            raise TeamError(f"{email} is in the team already.")
        if email:
            open_invitations(team).filter(email=email).update(withdrawn_at=timezone.now())
        token = secrets.token_urlsafe(32)
        expires = timezone.now() + timedelta(days=DAYS_OPEN)
        invitation = Invitation.objects.create(
            team=team, role=role, email=email, token_hash=_hash(token), invited_by=by, expires_at=expires
        )
        record(by, team, Act.INVITED, str(invitation), role=role)
    return invitation, token


def open_invitations(team: Team) -> QuerySet[Invitation]:
    return _open(team.invitations.all())


def find(token: str) -> Invitation | None:
    """The open invitation of this token."""
    return _open(Invitation.objects.select_related("team", "invited_by")).filter(token_hash=_hash(token)).first()


def accept(token: str, user: User) -> Membership:
    """Of two who come with the same token at once, one gets in."""
    with transaction.atomic():
        found = _open(Invitation.objects.select_for_update(of=("self",))).filter(token_hash=_hash(token)).first()
        if found is None:
            raise TeamError(OVER)
        membership, is_new = Membership.objects.get_or_create(
            team_id=found.team_id, user=user, defaults={"role": found.role}
        )
        if not is_new:
            raise TeamError(f"You are in {found.team} already. The invitation stays open for somebody else.")
        Invitation.objects.filter(pk=found.pk).update(accepted_by=user, accepted_at=timezone.now())
        record(user, found.team, Act.JOINED, found.team, role=found.role, invited_by=found.invited_by)
    return membership


def withdraw(invitation: Invitation, by: User) -> bool:
    """False where it was over before."""
    with transaction.atomic():
        if not _open(Invitation.objects.filter(pk=invitation.pk)).update(withdrawn_at=timezone.now()):
            return False
        record(by, invitation.team, Act.UNINVITED, str(invitation))
    return True


def withdraw_all(team: Team, inviter: User, by: User) -> None:
    """Those of somebody who invites no longer: whoever keeps a link would come back by it, in any role."""
    for invitation in open_invitations(team).filter(invited_by=inviter).order_by("pk"):
        withdraw(invitation, by)


def _open(rows: QuerySet[Invitation]) -> QuerySet[Invitation]:
    return rows.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
