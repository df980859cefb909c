"""The page of a campaign's participants: who they are is known to nobody; how they worked is told here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from analysis.quality.rules import RULES
from analysis.quality.signals import Signals
from campaigns.models import Campaign
from judging.flowing import flow_of
from judging.models import Participation
from judging.paying import Earning, earnings
from judging.signalling import excluded_by_rule, signals_of
from recruitment.linking import SIMULATED

ON_A_PAGE = 50
EXCLUDED, BREAKING = "excluded", "breaking"
# What a list can be narrowed to, in the order of the choices.
FILTERS = {
    "": "All",
    "practised": "Judging",
    "completed": "Completed",
    "screened_out": "Screened out",
    "returned": "Returned",
    "timed_out": "Timed out",
    "declined": "Declined",
    BREAKING: "Breaking a rule",
    EXCLUDED: "Excluded by hand",
}


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


def participants_page(campaign: Campaign, wanted: str, page: str) -> dict[str, Any]:
    """`wanted` is one of `FILTERS`, anything else is all. A constant number of queries."""
    chosen = wanted if wanted in FILTERS else ""
    broken = excluded_by_rule(campaign)
    found = Paginator(_rows(campaign, chosen, broken), ON_A_PAGE).get_page(page)
    return {
        "rows": _told(campaign, found, broken),
        "page": found,
        "filters": FILTERS,
        "chosen": chosen,
        "flow": flow_of(campaign, broken),
        "rules": [(RULES[name], RULES[name].describe(given)) for name, given in campaign.rules.items()],
        "pay": pay_of(earnings(campaign)),
        "currency": settings.PAY_CURRENCY,
        "minimum_pay": settings.MINIMUM_HOURLY_PAY,
    }


def _rows(campaign: Campaign, chosen: str, broken: Mapping[int, Sequence[str]]) -> QuerySet[Participation]:
    rows = campaign.participations.order_by("-pk")
    if chosen == EXCLUDED:
        return rows.filter(excluded_at__isnull=False)
    if chosen == BREAKING:
        return rows.filter(pk__in=broken)
    return rows.filter(state=chosen) if chosen else rows


def _told(campaign: Campaign, page: Page[Participation], broken: Mapping[int, Sequence[str]]) -> list[Row]:
    shown = list(page)
    signals = signals_of(campaign, [one.pk for one in shown])
    return [Row(one, signals.get(one.pk), [RULES[name].label for name in broken.get(one.pk, ())]) for one in shown]


def pay_of(found: Sequence[Earning]) -> Pay:
    rates = [one.hourly for one in found if one.hourly is not None]
    lacking = [one.top_up for one in found if one.top_up]
    return Pay(len(found), median(rates) if rates else None, len(lacking), sum(lacking))
