from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign
from judging.assigning import assign_next
from judging.models import Participation
from judging.paying import Earning, earnings, pay_rows, reference_of
from judging.recording import Circumstances, record
from tests.judging.building import live_campaign, worker


@pytest.fixture(autouse=True)
def pay(settings: Any) -> None:
    settings.MINIMUM_HOURLY_PAY, settings.PAY_CURRENCY = 9.0, "GBP"


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(team, pay_per_worker=Decimal("1.00"))


def done(
    campaign: Campaign, name: str, minutes: int = 5, active_ms: int | None = 360_000, **fields: Any
) -> Participation:
    """Read for some minutes, then judged one item."""
    person = worker(campaign, name, **fields)
    turn = assign_next(person)
    assert turn.assignment
    record(turn.assignment, {"answer": "positive"}, Circumstances(response_ms=400_000, active_ms=active_ms))
    now = timezone.now()
    Participation.objects.filter(pk=person.pk).update(
        state="completed", arrived_at=now - timedelta(minutes=minutes), started_at=now, finished_at=now
    )
    return person


@pytest.mark.django_db
def test_it_works(campaign: Campaign) -> None:
    wanda = done(campaign, "wanda", parameters={"SESSION_ID": "s1", "STUDY_ID": "x"})
    (found,) = earnings(campaign)
    # 5 minutes of reading and 6 of work are worth 1.65 at 9 an hour.
    assert (found.participation, found.reference, found.top_up) == (wanda.pk, "s1", Decimal("0.65"))
    assert found.seconds == pytest.approx(660, abs=1) and found.hourly == pytest.approx(5.4545, abs=0.01)
    assert list(pay_rows([found]))[1][:2] == ("s1", f"w{wanda.pk}")


@pytest.mark.django_db
def test_simulated_workers_earn_nothing(campaign: Campaign) -> None:
    done(campaign, "robot", parameters={"simulated": "1"})
    assert earnings(campaign) == []


@pytest.mark.django_db
def test_who_has_not_completed_is_not_listed(campaign: Campaign) -> None:
    worker(campaign, "bert")
    assert earnings(campaign) == []


@pytest.mark.django_db
def test_a_night_before_the_first_item_is_not_paid(campaign: Campaign) -> None:
    done(campaign, "wanda", minutes=600, active_ms=0)
    assert earnings(campaign)[0].seconds == 15 * 60


@pytest.mark.django_db
def test_without_active_time_the_whole_time_counts(campaign: Campaign) -> None:
    done(campaign, "wanda", minutes=0, active_ms=None)
    assert earnings(campaign)[0].seconds == pytest.approx(400, abs=1)


def test_whoever_earns_enough_lacks_nothing() -> None:
    rich = Earning(1, "s", 60, Decimal("1.00"), 9.0)
    poor = Earning(2, "t", 3600, Decimal("1.00"), 9.0)
    assert rich.top_up == 0 and poor.top_up == Decimal("8.00")
    assert [row[0] for row in pay_rows([rich, poor], only_top_ups=True)] == ["reference", "t"]


def test_cents_are_rounded_in_favour_of_the_worker() -> None:
    assert Earning(1, "", 1, Decimal("0"), 9.0).top_up == Decimal("0.01")
    assert Earning(1, "", 0, Decimal("0"), 9.0).hourly is None


def test_the_reference_is_the_recruiters_own_or_all_the_link_told() -> None:
    assert reference_of({"STUDY_ID": "x", "SESSION_ID": "s"}) == "s"
    assert reference_of({"assignmentId": "a"}) == "a"
    assert reference_of({"ref": "7", "group": "b", "simulated": "1"}) == "ref=7&group=b"
    assert reference_of({}) == ""
