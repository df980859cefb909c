"""A worker opens the campaign's link: the same worker always finds the same participation."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import replace

from django.conf import settings
from django.db import transaction

from campaigns.models import Campaign, SampledText
from judging.inviting import NotAdmitted, admit, invitation_of, occupy, use_code
from judging.lapsing import lapse_idle
from judging.leasing import has_places
from judging.models import Invitation, Participation
from judging.tokens import read_token
from recruitment import PROVIDERS, Arrival


def arrive(
    campaign: Campaign, query: Mapping[str, str], cookie: str = "", language: str = "en"
) -> Participation | None:
    """The participation to go on with; a new one only while the campaign is live and has places left, otherwise None.

    A worker's id in the link wins over the browser's cookie: computers are shared. NotAdmitted where the recruitment
    does not let somebody in.
    """
    arrival = arrival_of(campaign, query)
    if arrival.preview:
        raise NotAdmitted("preview")
    invited = PROVIDERS[campaign.recruitment].entry == "invitation"
    invitation = invitation_of(campaign, arrival.ticket) if invited and arrival.ticket else None
    known = _known(campaign, arrival, invitation, cookie)
    if known:
        return known
    lapse_idle(campaign)
    if campaign.state != Campaign.State.LIVE or not has_places(campaign):
        return None
    return _let_in(campaign, arrival, invitation, language)


def arrival_of(campaign: Campaign, query: Mapping[str, str]) -> Arrival:
    """The link, as the campaign's own recruitment reads it."""
    return PROVIDERS[campaign.recruitment].arrive(query, campaign.worker_parameter, campaign.recruitment_settings)


def worker_hash(campaign: Campaign, worker: str) -> str:
    """Differs between campaigns, so that nobody can follow a worker from one to the next."""
    return _keyed(f"{campaign.pk}:{worker}")


def person_hash(campaign: Campaign, worker: str) -> str:
    """The same in all campaigns of a dataset that say that nobody meets a text again; empty in any other."""
    return _keyed(f"dataset {campaign.dataset_id}:{worker}") if worker and campaign.once_per_dataset else ""


def _keyed(message: str) -> str:
    return hmac.new(settings.WORKER_ID_KEY.encode(), message.encode(), hashlib.sha256).hexdigest()


def _known(campaign: Campaign, arrival: Arrival, invitation: Invitation | None, cookie: str) -> Participation | None:
    if invitation:
        return invitation.participation
    if not arrival.worker:
        return _remembered(campaign, cookie)
    named = _named(campaign, arrival.worker)
    if named and not named.erased_at:
        _renew(named, arrival.parameters)
    return named


def _renew(participation: Participation, parameters: Mapping[str, str]) -> None:
    """Who returned a task and takes it again comes with another number of the visit, which the way back needs."""
    renewed = participation.parameters | dict(parameters)
    if renewed != participation.parameters:
        participation.parameters = renewed
        participation.save(update_fields=["parameters"])


def _let_in(campaign: Campaign, arrival: Arrival, invitation: Invitation | None, language: str) -> Participation:
    """All or nothing: a code's use is counted together with the participation that it lets in."""
    provider = PROVIDERS[campaign.recruitment]
    if provider.named and not arrival.worker:
        raise NotAdmitted("unnamed")
    if provider.entry == "invitation":
        arrival = replace(arrival, worker=f"invitation {admit(invitation).ticket_hash}")
    with transaction.atomic():
        participation, made = _begin(campaign, arrival, language)
        if made and provider.entry == "code":
            use_code(campaign, arrival.ticket)
        if invitation:
            occupy(invitation, participation)
    return participation


def _named(campaign: Campaign, worker: str) -> Participation | None:
    return campaign.participations.filter(worker_hash=worker_hash(campaign, worker)).first()


def _remembered(campaign: Campaign, cookie: str) -> Participation | None:
    return campaign.participations.filter(pk=read_token(cookie) or 0).first() if cookie else None


def _begin(campaign: Campaign, arrival: Arrival, language: str) -> tuple[Participation, bool]:
    """Two arrivals at once meet the unique constraint: the second gets the row of the first."""
    return campaign.participations.get_or_create(
        worker_hash=worker_hash(campaign, arrival.worker) if arrival.worker else secrets.token_hex(32),
        defaults={
            "named": bool(arrival.worker),
            "person_hash": person_hash(campaign, arrival.worker),
            "parameters": arrival.parameters,
            "language": language,
            "quota": _quota(campaign),
        },
    )


def _quota(campaign: Campaign) -> int:
    """Nobody can be asked for more items than there are texts."""
    return campaign.sample.filter(role=SampledText.Role.ITEM)[: campaign.most_per_worker].count()
