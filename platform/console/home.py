"""The first page: what needs attention, how the campaigns go, what is under way, what was done lately.

A constant number of queries, whatever the size of the campaigns; judgments are counted at most every few seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Count, IntegerField, QuerySet, Value, When

from accounts.access import editable_teams, readable
from accounts.models import AuditEntry, User
from campaigns.models import Campaign, Condition, Place, SampledText
from console.attention import Attention, attention, campaigns_of
from console.working import Work, work
from materials.models import Classifier, Dataset

State = Campaign.State
SHOWN_CAMPAIGNS = 12
SHOWN_ACTS = 12
COUNTED_SECONDS = 10
# What goes on stands before what is over.
ORDER = (State.LIVE, State.PAUSED, State.READY, State.PREPARING, State.DRAFT, State.CLOSED)


@dataclass(frozen=True)
class Going:
    """A campaign with its judgments in and wanted; `wanted` is 0 where none are gathered here and now."""

    campaign: Campaign
    done: int = 0
    wanted: int = 0

    @property
    def full(self) -> bool:
        return 0 < self.wanted <= self.done

    @property
    def words(self) -> str:
        return "Judged elsewhere" if self.campaign.imported else str(self.campaign.get_state_display())


@dataclass(frozen=True)
class Home:
    campaigns: list[Going]
    n_campaigns: int
    attention: list[Attention]
    work: list[Work]
    acts: list[AuditEntry]
    may_add: bool
    has_dataset: bool
    has_classifier: bool


def home(user: User) -> Home:
    rows = campaigns_of(user)
    campaigns = _going(_first(rows))
    datasets, classifiers = readable(Dataset.objects.all(), user), readable(Classifier.objects.all(), user)
    acts = readable(AuditEntry.objects.all(), user).select_related("team").order_by("-id")[:SHOWN_ACTS]
    return Home(
        campaigns=campaigns,
        n_campaigns=rows.count(),
        attention=attention(user, [one.campaign for one in campaigns if one.full]),
        work=work(user),
        acts=list(acts),
        may_add=editable_teams(user).exists(),
        has_dataset=datasets.exists(),
        has_classifier=classifiers.exists(),
    )


def _first(rows: QuerySet[Campaign]) -> list[Campaign]:
    place = Case(*(When(state=state, then=Value(at)) for at, state in enumerate(ORDER)), output_field=IntegerField())
    shown = rows.select_related("dataset", "classifier").annotate(place=place).order_by("place", "-created_at")
    return list(shown[:SHOWN_CAMPAIGNS])


def _going(campaigns: Iterable[Campaign]) -> list[Going]:
    campaigns = list(campaigns)
    counting = [one for one in campaigns if one.state in (State.LIVE, State.PAUSED)]
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
    found: dict[str, int] = cache.get_many([_key(one.pk) for one in campaigns])
    missing = [one for one in campaigns if _key(one.pk) not in found]
    filled = _counted(Place.objects.filter(state=Place.State.FILLED), missing)
    fresh = {_key(one.pk): filled.get(one.pk, 0) for one in missing}
    if fresh:
        cache.set_many(fresh, COUNTED_SECONDS)
    counts = found | fresh
    return {one.pk: counts[_key(one.pk)] for one in campaigns}


def _key(pk: int) -> str:
    return f"home:filled:{pk}"
