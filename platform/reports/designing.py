"""What a campaign set out to do, as its report tells it: its design, and what was registered at launch."""

import json
from typing import Any

from django.conf import settings

from analysis.quality.rules import RULES
from campaigns.models import Campaign
from campaigns.preregistering import document_of, registered
from recruitment import PROVIDERS

Facts = dict[str, Any]


def design_of(campaign: Campaign) -> Facts | None:
    """From the frozen document where there is one; otherwise as the campaign stands. None where others designed it."""
    if campaign.imported:
        return None
    told = json.loads(document_of(campaign))
    return {
        **told["design"],
        "size": told["size"],
        "rules": {name: RULES[name].describe(given) for name, given in told["exclusion_rules"].items()},
        "currency": settings.PAY_CURRENCY,
        "recruited_by": PROVIDERS[campaign.recruitment].label,
        "state": campaign.state,
        "launched_at": campaign.launched_at and campaign.launched_at.isoformat(timespec="seconds"),
        "closed_at": campaign.closed_at and campaign.closed_at.isoformat(timespec="seconds"),
    }


def registration_of(campaign: Campaign) -> Facts | None:
    """None of campaigns that were launched before registrations were kept. `rules` are those that stand now."""
    found = registered(campaign)
    if found is None:
        return None
    return {
        "hash": found.digest,
        "registered_at": found.registered_at.isoformat(timespec="seconds"),
        "document": json.loads(found.document),
        "state": campaign.state,
        "rules": {name: RULES[name].complete(given) for name, given in sorted(campaign.rules.items())},
    }
