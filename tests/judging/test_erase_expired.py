from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Team
from campaigns.asking import read_questions
from campaigns.models import Campaign
from judging.expiring import months_after
from judging.models import Judgment, Participation
from tests.judging.building import live_campaign, worker


def closed_campaign(team: Team, months: int | None = 6, days: int = 200, **fields: Any) -> Campaign:
    questions = read_questions("Where do you live? [text]\nHow old are you? [number]")
    campaign = live_campaign(team, texts=1, demographics=questions, retention_months=months, **fields)
    closed_at = timezone.now() - timedelta(days=days)
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.CLOSED, closed_at=closed_at)
    campaign.refresh_from_db()
    return campaign


def run(*options: str) -> str:
    out = StringIO()
    call_command("erase_expired", *options, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_it_works(team: Team) -> None:
    campaign = closed_campaign(team)
    wanda = worker(campaign, parameters={"SESSION_ID": "s1"}, person_hash="p", answers={"before": ["Ulm", 41.0]})
    assert "1 participation, 1 answer in words of their own" in run("--yes")
    wanda.refresh_from_db()
    assert (wanda.parameters, wanda.person_hash, wanda.named) == ({}, "", False)
    assert wanda.worker_hash != "wanda" and wanda.answers == {"before": ["", 41.0]}
    assert run("--yes") == "Nothing has expired.\n"


@pytest.mark.django_db
def test_without_yes_it_only_shows_what_would_go(team: Team) -> None:
    wanda = worker(closed_campaign(team), parameters={"SESSION_ID": "s1"})
    out = run()
    assert out.startswith("films: 1 participation, 0 answers in words of their own; expired on 20")
    assert "Nothing was removed: say --yes" in out
    wanda.refresh_from_db()
    assert wanda.parameters == {"SESSION_ID": "s1"} and wanda.worker_hash == "wanda"


@pytest.mark.django_db
@pytest.mark.parametrize(("months", "days"), [(6, 170), (None, 9999)])
def test_what_is_within_its_period_or_has_none_stays(team: Team, months: int | None, days: int) -> None:
    worker(closed_campaign(team, months, days))
    assert run("--yes") == "Nothing has expired.\n"


@pytest.mark.django_db
def test_a_campaign_that_is_not_closed_stays(team: Team) -> None:
    worker(live_campaign(team, retention_months=1))
    assert run() == "Nothing has expired.\n"


@pytest.mark.django_db
def test_that_a_worker_was_simulated_stays(team: Team) -> None:
    worker(closed_campaign(team), parameters={"simulated": "1", "x": "y"})
    run("--yes")
    assert Participation.objects.get().parameters == {"simulated": "1"}
    assert not Judgment.objects.exists()


def test_months_end_on_the_last_day_where_there_is_no_such_day() -> None:
    assert months_after(datetime(2026, 8, 31, tzinfo=UTC), 6) == datetime(2027, 2, 28, tzinfo=UTC)
    assert months_after(datetime(2026, 12, 5, tzinfo=UTC), 1) == datetime(2027, 1, 5, tzinfo=UTC)
    assert months_after(datetime(2026, 5, 5, tzinfo=UTC), 24) == datetime(2028, 5, 5, tzinfo=UTC)
