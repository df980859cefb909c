"""How far campaigns are with their judgments: a constant number of queries for however many of whatever size."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, QuerySet

from campaigns.models import Campaign, Condition, Place, SampledText
from campaigns.moving import State

COUNTED_SECONDS = 10
GATHERING = (State.LIVE, State.PAUSED, State.CLOSED)


@dataclass(frozen=True)
class Going:
    """A campaign with its judgments in and wanted; `wanted` is 0 where none are gathered, or not yet."""

    campaign: Campaign
    done: int = 0
    wanted: int = 0

    @property
    def full(self) -> bool:
        return 0 < self.wanted <= self.done

    @property
    def percent(self) -> int:
        """Rounded down: 100 only when all are in."""
        return 100 * self.done // self.wanted if self.wanted else 0

    @property
    def words(self) -> str:
        return "Judged elsewhere" if self.campaign.imported else str(self.campaign.get_state_display())


def going(campaigns: Iterable[Campaign]) -> list[Going]:
    campaigns = list(campaigns)
    counting = [one for one in campaigns if one.state in GATHERING and not one.imported]
    wanted, done = _wanted(counting), _done(counting)
    return [Going(one, done.get(one.pk, 0), wanted.get(one.pk, 0)) for one in campaigns]


def _wanted(campaigns: list[Campaign]) -> dict[int, int]:
    items = _counted(SampledText.objects.filter(role=SampledText.Role.ITEM), campaigns)
    cells = _counted(Condition.objects.all(), campaigns)
    return {one.pk: items.get(one.pk, 0) * cells.get(one.pk, 0) * one.judgments_per_stimulus for one in campaigns}


def _counted(rows: QuerySet[Any], campaigns: list[Campaign]) -> dict[int, int]:
    return dict(rows.filter(campaign__in=campaigns).order_by().values_list("campaign").annotate(n=Count("pk")))


def _done(campaigns: list[Campaign]) -> dict[int, int]:
    """Of those whose count is old; a hundred thousand judgments take a tenth of a second."""
    found: dict[str, int] = cache.get_many([_key(one) for one in campaigns])
    missing = [one for one in campaigns if _key(one) not in found]
    filled = _counted(Place.objects.filter(state=Place.State.FILLED), missing)
    fresh = {_key(one): filled.get(one.pk, 0) for one in missing}
    if fresh:
        cache.set_many(fresh, COUNTED_SECONDS)
    counts = found | fresh
    return {one.pk: counts[_key(one)] for one in campaigns}


def _key(campaign: Campaign) -> str:
    """Another campaign may come to have the number of one that was deleted or brought back."""
    return f"going:filled:{campaign.pk}:{campaign.created_at.timestamp()}"
