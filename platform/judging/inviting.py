"""Who may come in where the link alone is not enough: holders of an invitation, or those who know a class code."""

import hashlib
import secrets

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from campaigns.models import Campaign
from judging.models import ClassCode, Invitation, Participation
from recruitment.outcomes import new_code

MOST_AT_ONCE = 2000
TICKET_BYTES = 18


class NotAdmitted(Exception):
    """Somebody is not let in; `reason` names why, for the page that says it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def invite(campaign: Campaign, count: int) -> list[tuple[int, str]]:
    """New invitations as (number, ticket). Nobody can be told the tickets again: only their hashes are kept."""
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        last = campaign.invitations.aggregate(last=Max("number"))["last"] or 0
        made = [(last + at, secrets.token_urlsafe(TICKET_BYTES)) for at in range(1, count + 1)]
        Invitation.objects.bulk_create(
            Invitation(campaign=campaign, number=number, ticket_hash=hash_of(ticket)) for number, ticket in made
        )
    return made


def hash_of(ticket: str) -> str:
    """Plain is enough: nobody guesses 144 random bits."""
    return hashlib.sha256(ticket.encode()).hexdigest()


def invitation_of(campaign: Campaign, ticket: str) -> Invitation | None:
    return campaign.invitations.filter(ticket_hash=hash_of(ticket)).select_related("participation").first()


def admit(invitation: Invitation | None) -> Invitation:
    """NotAdmitted unless somebody may begin with it."""
    if invitation is None:
        raise NotAdmitted("uninvited")
    if invitation.revoked_at:
        raise NotAdmitted("revoked")
    return invitation


def occupy(invitation: Invitation, participation: Participation) -> None:
    Invitation.objects.filter(pk=invitation.pk, participation=None).update(participation=participation)


def revoke(campaign: Campaign, number: int) -> bool:
    """One that nobody has come by yet. Whether there was such a one."""
    unused = campaign.invitations.filter(number=number, participation=None, revoked_at=None)
    return bool(unused.update(revoked_at=timezone.now()))


def add_code(campaign: Campaign, uses: int) -> ClassCode:
    return campaign.class_codes.create(code=new_code(), uses=uses)


def use_code(campaign: Campaign, code: str) -> None:
    """One use less, under the code's lock. NotAdmitted where there is no such code, or no use left."""
    if not code:
        raise NotAdmitted("no_code")
    row = campaign.class_codes.select_for_update().filter(code=code, revoked_at=None).first()
    if row is None:
        raise NotAdmitted("wrong_code")
    if row.used >= row.uses:
        raise NotAdmitted("spent")
    ClassCode.objects.filter(pk=row.pk).update(used=row.used + 1)


def revoke_code(campaign: Campaign, code: str) -> bool:
    """Who came by it goes on."""
    return bool(campaign.class_codes.filter(code=code, revoked_at=None).update(revoked_at=timezone.now()))
