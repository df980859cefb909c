"""What each event says, from where it happens."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Team
from campaigns.moving import close, pause
from judging.models import Participation
from judging.telling import tell_completed
from materials.models import Run
from tests.campaigns.actors import live, preparing, work
from webhooks.events import EVENTS
from webhooks.models import Delivery, Endpoint
from workers.computing import finish_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def everything(team: Team, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    return Endpoint.objects.create(team=team, url="https://x.example/hook", events=list(EVENTS))


def _told() -> list[tuple[str, dict[str, Any]]]:
    return [(one.event, json.loads(one.body)["data"]) for one in Delivery.objects.order_by("pk")]


def test_a_campaign_tells_of_its_launch_of_pausing_and_of_its_end(team: Team) -> None:
    campaign = live(team)
    pause(campaign)
    close(campaign)
    said = {"campaign": campaign.slug, "name": campaign.name}
    assert _told() == [("campaign.launched", said), ("campaign.paused", said), ("campaign.closed", said)]


def test_a_run_tells_once_that_its_explanations_are_there(team: Team) -> None:
    campaign = preparing(team)
    run = campaign.run
    assert run
    work(campaign, failing=frozenset({campaign.sample.first().text_id}))  # type: ignore[union-attr]
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    for _ in range(2):
        finish_run(run.pk)
    told = {"run": run.pk, "dataset": campaign.dataset.slug, "classifier": campaign.classifier.slug, "failures": 1}
    assert _told() == [("explanations.completed", told)]


def _completed(campaign: Any, worker: str, **fields: Any) -> Participation:
    completed = {"state": Participation.State.COMPLETED, "finished_at": timezone.now()}
    return Participation.objects.create(
        campaign=campaign, worker_hash=worker, named=True, quota=1, **(completed | fields)
    )


def test_workers_who_have_finished_are_told_of_once(team: Team, django_assert_max_num_queries: Any) -> None:
    campaign = live(team)
    Delivery.objects.all().delete()
    done = _completed(campaign, "a", parameters={"simulated": "1"})
    _completed(campaign, "b", state=Participation.State.RETURNED)
    _completed(campaign, "c", finished_at=timezone.now() - timedelta(days=1))
    assert [tell_completed(), tell_completed()] == [1, 0]
    said = {"campaign": campaign.slug, "worker": f"w{done.pk}", "simulated": True}
    assert _told() == [("participant.completed", said)]
    later = _completed(campaign, "d")
    assert tell_completed() == 1
    assert Delivery.objects.latest("pk").subject == str(later.pk)


def test_nothing_is_looked_for_where_nobody_wants_to_know(team: Team, django_assert_num_queries: Any) -> None:
    _completed(live(team), "a")
    Endpoint.objects.update(active=False)
    with django_assert_num_queries(1):
        assert tell_completed() == 0
