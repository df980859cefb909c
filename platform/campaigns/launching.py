"""ready -> live: every stimulus is rendered once, every wanted judgment gets a place, and nothing changes more."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.easing import practice_conditions
from campaigns.linting import refuse
from campaigns.models import Campaign, Condition, SampledText, Stimulus
from campaigns.moving import CampaignError, State, locked
from campaigns.placing import write_places
from campaigns.preregistering import canonical, design, register
from campaigns.rendering import Rendered, render_all
from campaigns.telling import tell
from protocols import PROTOCOLS

BATCH = 1000
STEPS = ("Writing down what workers will see", "Giving every judgment its place")


Told = Callable[[str, int, int], None]


def launch(campaign: Campaign, told: Told = lambda step, done, total: None) -> None:
    """All of it or nothing. CampaignError if the campaign is not ready, lacks an explanation, or would lose workers.

    `told` hears of each step, with the stimuli written and to be written.
    """
    with transaction.atomic():
        row = locked(campaign, State.READY)
        refuse(row)
        digest = hashlib.sha256(canonical(design(row)))
        items = _sample(row, SampledText.Role.ITEM)
        conditions = list(row.conditions.all())
        shown = [*_sample(row, SampledText.Role.EXAMPLE), *items]
        wanted = len(shown) * len(conditions)
        if _write_stimuli(row, render_all(row, shown, conditions), digest, told, wanted) != wanted:
            raise CampaignError("Some explanations are missing: take the campaign back to draft and prepare it again.")
        for role in (SampledText.Role.PRACTICE, SampledText.Role.GOLD):
            _write_stimuli(row, _easy(row, _sample(row, role), conditions), digest)
        told(STEPS[1], wanted, wanted)
        write_places(row, items, conditions)
        row.design_hash, row.launched_at, row.state = digest.hexdigest(), timezone.now(), State.LIVE
        row.save()
        register(row)
        tell(row, "campaign.launched")
    campaign.refresh_from_db()


def _sample(campaign: Campaign, role: SampledText.Role) -> list[SampledText]:
    return list(campaign.sample.filter(role=role).select_related("text", "edited"))


def _easy(campaign: Campaign, sample: list[SampledText], conditions: list[Condition]) -> Iterator[Rendered]:
    """A known answer has to be plain to see: it is always shown in the easiest way."""
    for at, sampled in enumerate(sample):
        gold = sampled.role == SampledText.Role.GOLD
        condition = practice_conditions(conditions, len(sample))[0 if gold else at]
        yield from render_all(campaign, [sampled], [condition])


def _write_stimuli(
    campaign: Campaign,
    rendered: Iterable[Rendered],
    digest: Any,
    told: Told = lambda step, done, total: None,
    wanted: int = 0,
) -> int:
    """Also into the hash, in the order of writing. Answers how many."""
    made, version = 0, PROTOCOLS[campaign.protocol].version
    iterator = iter(rendered)
    while batch := list(islice(iterator, BATCH)):
        for one in batch:
            shown = [one.sampled.text.content_hash, str(one.condition), one.content, one.sampled.expected]
            digest.update(canonical(shown))
        Stimulus.objects.bulk_create(_stimulus(campaign, one, version) for one in batch)
        made += len(batch)
        told(STEPS[0], made, wanted)
    return made


def _stimulus(campaign: Campaign, one: Rendered, version: int) -> Stimulus:
    return Stimulus(
        campaign=campaign,
        text=one.sampled.text,
        condition=one.condition,
        explanation=one.explanations[0] if one.explanations else None,
        other_explanation=one.explanations[1] if len(one.explanations) > 1 else None,
        role=one.sampled.role,
        position=one.sampled.position,
        content=one.content,
        expected=one.sampled.expected,
        version=version,
    )
