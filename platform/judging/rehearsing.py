"""The links that simulated workers come by, as the campaign's recruitment would hand them out."""

from urllib.parse import urlencode

from django.utils.crypto import salted_hmac

from campaigns.models import Campaign
from judging.inviting import add_code, hash_of
from judging.models import Invitation
from recruitment import PROVIDERS
from recruitment.class_code import PARAMETER as CODE
from recruitment.invitation import PARAMETER as INVITATION
from recruitment.linking import SIMULATED


def rehearsal_links(campaign: Campaign, link: str, seed: int, workers: int) -> list[str]:
    """One a worker. The same seed again gives the same workers, who go on where they were."""
    named = PROVIDERS[campaign.recruitment].parameter or campaign.worker_parameter
    names = [f"simulated-{seed}-{number}" for number in range(workers)]
    tickets = _tickets(campaign, names)
    return [
        f"{link}?{urlencode({named: name, SIMULATED: '1', **ticket})}"
        for name, ticket in zip(names, tickets, strict=True)
    ]


def _tickets(campaign: Campaign, names: list[str]) -> list[dict[str, str]]:
    """What lets them in where the link alone does not."""
    entry = PROVIDERS[campaign.recruitment].entry
    if entry == "code":
        return [{CODE: add_code(campaign, len(names)).code}] * len(names)
    if entry == "invitation":
        return [{INVITATION: ticket} for ticket in _invite(campaign, names)]
    return [{}] * len(names)


def _invite(campaign: Campaign, names: list[str]) -> list[str]:
    """Tickets that follow from the names, yet that nobody can guess."""
    tickets = [salted_hmac("simulated invitation", f"{campaign.pk}:{name}").hexdigest() for name in names]
    known = set(campaign.invitations.values_list("ticket_hash", flat=True))
    numbers = campaign.invitations.count()
    hashes = [one for one in map(hash_of, tickets) if one not in known]
    Invitation.objects.bulk_create(
        Invitation(campaign=campaign, number=numbers + at, ticket_hash=one) for at, one in enumerate(hashes, start=1)
    )
    return tickets
