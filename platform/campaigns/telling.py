"""What a team's webhooks are told of a campaign."""

from campaigns.models import Campaign
from webhooks.announcing import announce


def tell(campaign: Campaign, event: str) -> None:
    """In the transaction in which it happens."""
    announce(campaign.team, event, {"campaign": campaign.slug, "name": campaign.name})
