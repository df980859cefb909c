"""A worker opens the campaign's link: the same worker always finds the same participation."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from django.conf import settings

from campaigns.models import Campaign, SampledText
from judging.leasing import has_places
from judging.models import Participation
from judging.tokens import read_token
from recruitment import PROVIDERS, Arrival


def arrive(
    campaign: Campaign, query: Mapping[str, str], cookie: str = "", language: str = "en"
) -> Participation | None:
    """The participation to go on with; a new one only while the campaign is live and has places left, otherwise None.

    A worker's id in the link wins over the browser's cookie: computers are shared.
    """
    arrival = PROVIDERS["open_link"].arrive(query, campaign.worker_parameter)
    known = _named(campaign, arrival.worker) if arrival.worker else _remembered(campaign, cookie)
    if known or campaign.state != Campaign.State.LIVE or not has_places(campaign):
        return known
    return _begin(campaign, arrival, language)


def worker_hash(campaign: Campaign, worker: str) -> str:
    """Differs between campaigns, so that nobody can follow a worker from one to the next."""
    return _keyed(f"{campaign.pk}:{worker}")


def person_hash(campaign: Campaign, worker: str) -> str:
    """The same in all campaigns of a dataset that say that nobody meets a text again; empty in any other."""
    return _keyed(f"dataset {campaign.dataset_id}:{worker}") if worker and campaign.once_per_dataset else ""


def _keyed(message: str) -> str:
    return hmac.new(settings.WORKER_ID_KEY.encode(), message.encode(), hashlib.sha256).hexdigest()


def _named(campaign: Campaign, worker: str) -> Participation | None:
    return campaign.participations.filter(worker_hash=worker_hash(campaign, worker)).first()


def _remembered(campaign: Campaign, cookie: str) -> Participation | None:
    return campaign.participations.filter(pk=read_token(cookie) or 0).first() if cookie else None


def _begin(campaign: Campaign, arrival: Arrival, language: str) -> Participation:
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
    )[0]


def _quota(campaign: Campaign) -> int:
    """Nobody can be asked for more items than there are texts."""
    return campaign.sample.filter(role=SampledText.Role.ITEM)[: campaign.most_per_worker].count()
