"""Solved examples, which workers walk through before they are asked anything: those of their own arm."""

from django.db.models import QuerySet

from campaigns.models import SampledText, Stimulus
from judging.models import Participation


def examples_of(participation: Participation) -> QuerySet[Stimulus]:
    campaign = participation.campaign
    own = [condition.pk for condition in campaign.conditions.all() if condition.arm == participation.arm]
    examples = campaign.stimuli.filter(role=SampledText.Role.EXAMPLE, condition__in=own)
    return examples.order_by("position", "pk")
