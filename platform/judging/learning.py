"""Solved examples, which workers walk through before they are asked anything: those of their own arm."""

from django.db.models import QuerySet

from campaigns.models import SampledText, Stimulus
from judging.models import Participation
from judging.screening import examples_seen
from protocols import PROTOCOLS


def examples_due(participation: Participation) -> bool:
    """Whether there is one that the worker has not opened yet."""
    learning = PROTOCOLS[participation.campaign.protocol].learning
    return learning and examples_seen(participation) < examples_of(participation).count()


def examples_of(participation: Participation) -> QuerySet[Stimulus]:
    campaign = participation.campaign
    own = [condition.pk for condition in campaign.conditions.all() if condition.arm == participation.arm]
    examples = campaign.stimuli.filter(role=SampledText.Role.EXAMPLE, condition__in=own)
    return examples.order_by("position", "pk")
