"""Whoever went away without a word is given up after a while: what they hold goes to others, until they come back."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from campaigns.models import Campaign
from judging.leaving import time_out
from judging.models import Assignment, Participation

State = Participation.State
AT_ONCE = 200


def lapse_idle(campaign: Campaign, now: datetime | None = None) -> int:
    """How many were given up. Only a campaign that takes judgments loses workers this way."""
    if campaign.state != Campaign.State.LIVE or not campaign.idle_minutes:
        return 0
    since = (now or timezone.now()) - timedelta(minutes=campaign.idle_minutes)
    rows = idle(campaign, since).values_list("pk", flat=True)[:AT_ONCE]
    return sum(_lapse(campaign, pk, since) for pk in rows)


def lapse_everywhere() -> dict[str, int]:
    """How many were given up, by the slug of each live campaign that lost some."""
    return {
        campaign.slug: given_up
        for campaign in Campaign.objects.filter(state=Campaign.State.LIVE)
        if (given_up := _lapse_all(campaign))
    }


def _lapse_all(campaign: Campaign) -> int:
    given_up = found = lapse_idle(campaign)
    while found == AT_ONCE:
        found = lapse_idle(campaign)
        given_up += found
    return given_up


def idle(campaign: Campaign, since: datetime) -> QuerySet[Participation]:
    """At work, and without a sign of life since then: the time for the last item ended before."""
    alive = Assignment.objects.filter(participation=OuterRef("pk"), deadline__gte=since)
    at_work = campaign.participations.filter(state__in=[State.CONSENTED, State.PRACTISED], consented_at__lt=since)
    return at_work.exclude(started_at__gte=since).exclude(Exists(alive))


def _lapse(campaign: Campaign, pk: int, since: datetime) -> bool:
    """Looked at again under the lock: they may have come back just now, and whoever is busy is not idle."""
    with transaction.atomic():
        row = campaign.participations.select_for_update(no_key=True, skip_locked=True).filter(pk=pk).first()
        if row is None or not idle(campaign, since).filter(pk=pk).exists():
            return False
        time_out(row)
        return True
