"""The page of a campaign's participants: who they are is known to nobody; how they worked is told here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max
from django.urls import reverse

from analysis.quality.rules import RULES, broken_rules
from analysis.quality.signals import Signals
from campaigns.models import Campaign
from judging.flowing import counts_of
from judging.models import Participation
from judging.paying import Earning, earnings, people
from judging.settling import KINDS
from judging.signalling import signals_of
from materials.counting import counted
from recruitment.linking import SIMULATED
from reports.finding_workers import WorkerFilterForm

ON_A_PAGE = 25
CACHED_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Row:
    participation: Participation
    signals: Signals | None
    broken: list[str]

    @property
    def simulated(self) -> bool:
        return SIMULATED in self.participation.parameters

    @property
    def active_minutes(self) -> float | None:
        return None if self.signals is None or self.signals.active_ms is None else self.signals.active_ms / 60_000

    @property
    def may_exclude(self) -> bool:
        return self.signals is not None and not self.participation.erased_at


@dataclass(frozen=True)
class Pay:
    """Of the people who completed. `top_ups` are owed to `lacking` of them."""

    workers: int
    median_hourly: float | None
    lacking: int
    top_ups: Any


def participants_page(campaign: Campaign, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A constant number of queries, and as quick for many workers as for few.

    Judgments are read of the workers on the page alone, except where those who break a rule are asked for.
    """
    form = WorkerFilterForm(asked)
    found = Paginator(form.rows(campaign), ON_A_PAGE).get_page(asked.get("page"))
    return {
        "form": form,
        "clear": reverse("campaign_participants", args=[campaign.slug]),
        "found": counted(found.paginator.count, "worker") if form.narrows else "",
        "rows": _told(campaign, found),
        "page": found,
        "flow": counts_of(campaign),
        "rules": [(RULES[name], RULES[name].describe(given)) for name, given in campaign.rules.items()],
    }


def pay_page(campaign: Campaign) -> dict[str, Any]:
    """Summed over all judgments where somebody has completed since the last time: the page asks for it by itself."""
    return {
        "pay": pay_of(campaign),
        "currency": settings.PAY_CURRENCY,
        "minimum_pay": settings.MINIMUM_HOURLY_PAY,
        "lists": KINDS,
    }


def _told(campaign: Campaign, page: Page[Participation]) -> list[Row]:
    signals = signals_of(campaign, [one.pk for one in page])
    return [_row(campaign, one, signals.get(one.pk)) for one in page]


def _row(campaign: Campaign, participation: Participation, signals: Signals | None) -> Row:
    broken = broken_rules(campaign.rules, signals) if signals else []
    return Row(participation, signals, [RULES[name].label for name in broken])


def pay_of(campaign: Campaign) -> Pay:
    """Summed over all judgments, so it is made anew only when others have completed."""
    ended = people(campaign).filter(state=Participation.State.COMPLETED)
    newest = ended.aggregate(n=Count("pk"), last=Max("finished_at"), erased=Count("erased_at"))
    last = newest["last"].timestamp() if newest["last"] else 0
    key = f"pay:{campaign.pk}:{newest['n']}:{newest['erased']}:{last}:{settings.MINIMUM_HOURLY_PAY}"
    found: Pay | None = cache.get(key)
    if found is None:
        found = summed(earnings(campaign))
        cache.set(key, found, CACHED_SECONDS)
    return found


def summed(found: Sequence[Earning]) -> Pay:
    rates = [one.hourly for one in found if one.hourly is not None]
    lacking = [one.top_up for one in found if one.top_up]
    return Pay(len(found), median(rates) if rates else None, len(lacking), sum(lacking))
