import time

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team, User
from campaigns.models import Campaign, Place
from materials.models import MetricScore
from reports import interim
from reports.interim import relate_so_far, relation_so_far
from reports.watching import watch
from tests.conftest import signed_in
from tests.reports.campaigns import odd_campaign

pytestmark = pytest.mark.django_db
METHODS = ["gradient", "integrated_gradients", "random"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The campaigns that worker processes were asked for."""
    found: list[int] = []
    cache.clear()

    def enqueue(_task: str, ids: list[int]) -> bool:
        found.extend(ids)
        return True

    monkeypatch.setattr(interim, "enqueue", enqueue)
    monkeypatch.setattr(interim, "REPLICATES", 20)
    return found


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return odd_campaign(team, "rating", methods=METHODS)


def page_of(campaign: Campaign, user: User) -> str:
    return signed_in(user).get(f"/campaigns/{campaign.slug}/live/").content.decode()


def test_it_works(campaign: Campaign, alice: User, asked: list[int]) -> None:
    assert "It appears here by itself" in page_of(campaign, alice)
    assert asked == [campaign.pk]
    relate_so_far(campaign.pk)
    page = page_of(campaign, alice)
    assert "all 36 judgments" in page and "comes to people" in page
    assert "order of the methods: Kendall" in page
    assert page.count("<svg") >= 2 and "Do not stop early" not in page


def test_before_all_are_in_it_is_interim_and_warns(campaign: Campaign, alice: User, asked: list[int]) -> None:
    Place.objects.filter(pk__in=campaign.places.values("pk")[:6]).update(state=Place.State.OPEN)
    relate_so_far(campaign.pk)
    page = page_of(campaign, alice)
    assert "interim: 30 of 36 judgments" in page and "Do not stop early" in page
    assert asked == []


def test_a_campaign_closed_early_is_not_interim(campaign: Campaign, alice: User, asked: list[int]) -> None:
    Place.objects.filter(pk__in=campaign.places.values("pk")[:6]).update(state=Place.State.OPEN)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    relate_so_far(campaign.pk)
    page = page_of(campaign, alice)
    assert "closed with 30 of 36 judgments" in page and "interim" not in page and "Do not stop early" not in page


def test_where_no_metric_was_computed_it_says_so(campaign: Campaign, alice: User, asked: list[int]) -> None:
    MetricScore.objects.all().delete()
    relate_so_far(campaign.pk)
    page = page_of(campaign, alice)
    assert "has a value of an automatic metric" in page and "<figure" not in page


def test_new_judgments_are_asked_for_once_a_minute(campaign: Campaign, asked: list[int]) -> None:
    relate_so_far(campaign.pk)
    cache.delete(f"interim:asked:{campaign.pk}")
    assert relation_so_far(campaign, watch(campaign)) and asked == []
    Place.objects.filter(pk__in=campaign.places.values("pk")[:2]).update(state=Place.State.OPEN)
    for _ in range(3):
        so_far = relation_so_far(campaign, watch(campaign))
        assert so_far and so_far.interim and so_far.interim.judgments == 36
    assert asked == [campaign.pk]


def test_what_takes_long_is_asked_for_less_often(
    campaign: Campaign, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, int] = {}
    monkeypatch.setattr(cache, "set", lambda key, _value, seconds: kept.update({key: seconds}))
    ticks = iter([0.0, 30.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
    relate_so_far(campaign.pk)
    assert kept[f"interim:asked:{campaign.pk}"] == 600


def test_the_page_only_looks_it_up(campaign: Campaign, asked: list[int]) -> None:
    relate_so_far(campaign.pk)
    watched = watch(campaign)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        relation_so_far(campaign, watched)
    assert len(queries) == 0


def test_without_a_queue_it_says_so(campaign: Campaign, asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interim, "enqueue", lambda _task, _ids: False)
    so_far = relation_so_far(campaign, watch(campaign))
    assert so_far and "queue" in so_far.empty


def test_without_metrics_it_says_what_to_do(campaign: Campaign, asked: list[int]) -> None:
    campaign.metrics = []
    so_far = relation_so_far(campaign, watch(campaign))
    assert so_far and "no automatic metrics" in so_far.empty and asked == []


def test_two_methods_are_too_few(team: Team, alice: User, asked: list[int]) -> None:
    campaign = odd_campaign(team, "rating", methods=METHODS[:2])
    assert "three methods or more" in page_of(campaign, alice) and asked == []


def test_before_the_first_judgment_it_says_what_will_be_here(team: Team, alice: User, asked: list[int]) -> None:
    campaign = odd_campaign(team, "rating", methods=METHODS, votes=0)
    assert "Once judgments come in" in page_of(campaign, alice) and asked == []


@pytest.mark.parametrize("protocol", ["rationale_marking", "word_importance"])
def test_protocols_that_judge_no_explanation_have_none(
    team: Team, alice: User, asked: list[int], protocol: str
) -> None:
    campaign = odd_campaign(team, "rating", methods=METHODS)
    campaign.protocol = protocol
    assert relation_so_far(campaign, watch(campaign)) is None and asked == []


def test_a_deleted_campaign_is_let_be() -> None:
    relate_so_far(0)
