"""How one worker sees one stimulus: the same sides and order at every look, and never chosen by the browser."""

import random
from typing import Any

from campaigns.models import Campaign
from campaigns.recognising import protocol_of
from campaigns.translating import translated
from protocols import Content, Presentation


def presentation_of(campaign: Campaign, content: Content, participation: int, item: str) -> Presentation:
    """`item` names it for this worker: nothing else decides, so that nothing has to be stored before the answer."""
    worker, own = random.Random(f"worker {participation}"), random.Random(f"worker {participation} item {item}")
    return protocol_of(campaign).arrange(content, worker, own)


def on_page(campaign: Campaign, content: Content, presentation: Presentation, step: int = 0) -> dict[str, Any]:
    """What the page's template needs, whoever looks at it."""
    protocol = protocol_of(campaign)
    if campaign.phrases:
        wording = {key: content[key] for key in protocol.wording if key in content}
        content = content | translated(wording, campaign.phrases)
    shown = {"template": protocol.template, "content": content}
    # A question that nobody has translated says what language it is in.
    shown["asked_in"] = campaign.language if "question" in campaign.fallbacks else ""
    return protocol.context(content, presentation, step) | shown
