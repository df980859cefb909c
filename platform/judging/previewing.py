"""One way to show a stimulus, for workers and for the researcher who wants to see what they will see."""

from typing import Any

from campaigns.models import Campaign
from protocols import PROTOCOLS, Content


def item_context(campaign: Campaign, content: Content, *, error: str = "", preview: bool = False) -> dict[str, Any]:
    """What `worker/stimulus.html` needs; in a preview the answers cannot be sent."""
    protocol = PROTOCOLS[campaign.protocol]
    return {
        **protocol.context(content),
        "template": protocol.template,
        "content": content,
        "error": error,
        "preview": preview,
    }
