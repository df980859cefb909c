"""A stimulus of a campaign, exactly as a worker sees it."""

import random
from collections.abc import Mapping
from typing import Any

from django.http import Http404

from campaigns.arming import arms
from campaigns.models import Campaign, Condition, SampledText
from campaigns.recognising import protocol_of
from campaigns.rendering import render_all
from catalogue.baselines import BASELINES
from catalogue.methods import METHODS, Method
from protocols import Content, Protocol
from protocols.displays import COLOUR, DISPLAYS

MOST_WORKERS = 99
# Solved examples come first.
SHOWN = (SampledText.Role.EXAMPLE, SampledText.Role.ITEM)


def show(campaign: Campaign, text: str, condition: str, worker: str = "", step: str = "") -> dict[str, Any]:
    """`text` and `condition` are positions, the first where they are none. 404 before the campaign is prepared.

    `worker` counts imagined workers, who may see sides and order differently; `step` is how often one asked for more.
    """
    sample = list(campaign.sample.filter(role__in=SHOWN).order_by("role", "position").select_related("text", "edited"))
    conditions = list(campaign.conditions.all())
    if not sample or not conditions:
        raise Http404("This campaign is not prepared yet.")
    at, shown = _chosen(text, len(sample)), _chosen(condition, len(conditions))
    content = _content(campaign, sample[at], conditions[shown])
    if content is None:
        raise Http404("This text is not explained yet.")
    protocol = protocol_of(campaign)
    methods = arms(campaign)
    return {
        **_as_seen(protocol, content, _chosen(worker, MOST_WORKERS), step),
        "campaign": campaign,
        "protocol": protocol,
        "template": protocol.template,
        "content": content,
        "preview": True,
        "script": protocol.script,
        "example": sample[at].role == SampledText.Role.EXAMPLE,
        "sampled": sample[at],
        "condition": conditions[shown],
        "arm": named(conditions[shown], methods),
        "conditions": [(position, named(one, methods)) for position, one in enumerate(conditions, start=1)],
        "number": at + 1,
        "shown": shown + 1,
        "total": len(sample),
        "before": at or len(sample),
        "after": (at + 1) % len(sample) + 1,
    }


def _as_seen(protocol: Protocol, content: Content, worker: int, step: str) -> dict[str, Any]:
    steps = protocol.steps(content)
    taken = min(int(step), steps) if step.isascii() and step.isdigit() and len(step) < 9 else 0
    own, item = random.Random(f"preview {worker}"), random.Random(f"preview {worker} item")
    presentation = protocol.arrange(content, own, item)
    differs = presentation and {"worker": worker + 1, "most_workers": MOST_WORKERS}
    return protocol.context(content, presentation, taken) | differs | {"steps": steps, "taken": taken}


def named(condition: Condition, methods: Mapping[str, Method]) -> str:
    """A condition in the researcher's words."""
    labels = [_label(name, methods) for name in (condition.method, condition.other) if name]
    display = _shown(condition.display)
    k = "" if condition.k is None else f"k = {condition.k}"
    return ", ".join(part for part in (" against ".join(labels), display, k) if part)


def _shown(display: str) -> str:
    if display in ("", COLOUR.name):
        return ""
    return DISPLAYS[display].label.lower() if display in DISPLAYS else display


def _label(name: str, methods: Mapping[str, Method]) -> str:
    """Elsewhere there are methods that nobody knows here."""
    known = BASELINES.get(name) or methods.get(name) or METHODS.get(name)
    return known.label if known else name


def _chosen(position: str, length: int) -> int:
    return (int(position) - 1) % length if position.isascii() and position.isdigit() and len(position) < 9 else 0


def _content(campaign: Campaign, sampled: SampledText, condition: Condition) -> Content | None:
    """The stored record once there is one."""
    stored = campaign.stimuli.filter(text=sampled.text, condition=condition).first()
    if stored:
        content: Content = stored.content
        return content
    rendered = next(render_all(campaign, [sampled], [condition]), None)
    return rendered.content if rendered else None
