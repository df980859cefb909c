from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Campaign, Place
from judging import leasing
from judging.assigning import assign_next
from judging.models import Assignment
from judging.statements import Statement
from tests.judging.building import worker


def run_out(campaign: Campaign) -> None:
    past = timezone.now() - timedelta(minutes=1)
    Place.objects.filter(campaign=campaign, state=Place.State.LEASED).update(leased_until=past)
    Assignment.objects.filter(participation__campaign=campaign).update(deadline=past)


def leased(campaign: Campaign) -> int:
    return campaign.places.filter(state=Place.State.LEASED).count()


def test_leases_that_ran_out_are_looked_for_once_a_second(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    assert leasing.sweep_at_times(campaign.pk)
    monkeypatch.setattr(leasing, "SWEEP_SECONDS", 60.0)
    assign_next(worker(campaign))
    run_out(campaign)
    assert not leasing.sweep_at_times(campaign.pk) and leased(campaign) == 1
    monkeypatch.setattr(leasing, "SWEEP_SECONDS", 0.0)
    assert leasing.sweep_at_times(campaign.pk) and leased(campaign) == 0


def test_nobody_goes_without_for_a_lease_that_ran_out_a_moment_ago(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    leasing.sweep(campaign.pk)
    monkeypatch.setattr(leasing, "SWEEP_SECONDS", 60.0)
    assign_next(worker(campaign, "wanda"))
    campaign.places.filter(state=Place.State.OPEN).update(state=Place.State.FILLED)
    run_out(campaign)
    assert assign_next(worker(campaign, "bert")).assignment is not None


@pytest.mark.django_db
def test_a_statement_is_planned_once_a_connection() -> None:
    statement = Statement("sum", "SELECT %(first)s + %(second)s", first="integer", second="integer")
    first = Statement("first", "SELECT %(first)s", first="integer")
    with CaptureQueriesContext(connection) as queries:
        assert statement.one({"first": 1, "second": 2}) == (3,)
        assert statement.one({"first": 2, "second": 2}, before=[first]) == (4,)
        assert statement.one({"first": 2, "second": 3}, before=[first]) == (5,)
    assert sum("PREPARE" in query["sql"] for query in queries.captured_queries) == 2
