"""The protocol of a campaign, whether its workers judge here or judged elsewhere."""

from campaigns.models import Campaign
from protocols import KNOWN, Protocol
from protocols.elsewhere import from_elsewhere


def protocol_of(campaign: Campaign) -> Protocol:
    protocol = KNOWN[campaign.protocol]
    return from_elsewhere(protocol) if campaign.imported else protocol
