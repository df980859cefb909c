"""What comes of a run that is done, without anybody looking."""

import logging

import pytest

from accounts.models import Team
from campaigns.models import Campaign
from materials.models import Chunk, Run
from tests.campaigns.actors import preparing, work
from workers.computing import finish_run


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """With all maps there, and a run that nobody has closed yet."""
    campaign = preparing(team)
    work(campaign)
    Run.objects.update(state=Run.State.RUNNING, finished_at=None)
    return campaign


def test_a_campaign_becomes_ready_by_itself(campaign: Campaign) -> None:
    finish_run(campaign.run_id or 0)
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.READY


def test_a_run_with_work_left_changes_nothing(campaign: Campaign) -> None:
    assert campaign.run
    campaign.run.chunks.update(state=Chunk.State.PENDING)
    finish_run(campaign.run.pk)
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.PREPARING


def test_it_is_told_once(campaign: Campaign) -> None:
    finish_run(campaign.run_id or 0)
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.PREPARING)
    finish_run(campaign.run_id or 0)
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.PREPARING


def test_a_campaign_that_cannot_be_settled_fails_no_run(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("campaigns.preparing.failed_texts", lambda campaign: 1 / 0)
    with caplog.at_level(logging.ERROR):
        finish_run(campaign.run_id or 0)
    assert Run.objects.get().state == Run.State.DONE and "ZeroDivisionError" in caplog.text
