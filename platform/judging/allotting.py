"""Which arm of a between-worker design, or which list of a Latin square, a worker is put on."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, F, PositiveIntegerField, Sum, When

from campaigns.models import Campaign
from judging import leasing
from judging.models import Participation

State = Participation.State
# Whoever has agreed is expected to do all that was asked for, until the work has ended one way or another.
EXPECTED = [State.CONSENTED, State.PRACTISED]


@dataclass(frozen=True)
class Group:
    """An arm or a list. `size` is how many conditions' worth of judgments it wants, `load` what was done or is expected
    of the workers on it."""

    arm: str
    list: int | None
    size: int
    load: int


def allot(participation: Participation) -> None:
    """Sets arm or list, once and for all: the least loaded for its size that has a place left for this worker.

    Two workers who come at once are taken one after the other, or both would find the same one the emptiest.
    """
    campaign = participation.campaign
    if campaign.allocation == Campaign.Allocation.LEAST_FILLED or participation.arm or participation.list is not None:
        return
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    ordered = by_load(groups(campaign), f"allot {participation.pk}")
    seen = leasing.met_elsewhere(participation)
    for group in ordered:
        participation.arm, participation.list = group.arm, group.list
        if leasing.left(leasing.Reach(participation, [], seen)).open:
            return
    participation.arm, participation.list = ordered[0].arm, ordered[0].list


def by_load(found: Sequence[Group], seed: str) -> list[Group]:
    """Ties in an order that the seed decides, or the order of arriving would follow the order of the arms."""
    shuffled = random.Random(seed).sample(found, len(found))
    return sorted(shuffled, key=lambda group: group.load / group.size)


def groups(campaign: Campaign) -> list[Group]:
    conditions = list(campaign.conditions.all())
    if campaign.allocation == Campaign.Allocation.LATIN_SQUARE:
        by_list = _loads(campaign, "list")
        return [Group("", number, 1, by_list.get(number, 0)) for number in range(len(conditions))]
    by_arm = _loads(campaign, "arm")
    names = [condition.arm for condition in conditions]
    return [Group(arm, None, names.count(arm), by_arm.get(arm, 0)) for arm in dict.fromkeys(names)]


def _loads(campaign: Campaign, field: str) -> Mapping[str | int | None, int]:
    """Counted by worker, not by place: there are few workers and many places."""
    load = Case(When(state__in=EXPECTED, then=F("quota")), default=F("counted"), output_field=PositiveIntegerField())
    workers = campaign.participations.filter(excluded_at=None)
    return dict(workers.values_list(field).annotate(load=Sum(load)).order_by())
