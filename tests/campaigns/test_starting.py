"""A launch is asked for once, carried out by a worker process, and survives whatever is killed or doubled."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import AuditEntry, Team, User
from campaigns import starting
from campaigns.creating import copy_campaign
from campaigns.models import Campaign, Launch, Place, Stimulus
from campaigns.moving import CampaignError
from campaigns.preparing import back_to_draft, prepare, settle
from campaigns.proceeding import campaign_page
from campaigns.starting import LAUNCHING, ask_launch, launch_of
from config.serving import celery_worker
from materials import carrying
from materials.carrying import NO_QUEUE, carry_out, unfinished
from materials.claiming import ClaimedElsewhere, claimed
from materials.models import Explanation
from tests.campaigns.actors import ready, work

SECONDS = 120


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is sent to worker processes, and to nobody."""
    asked: list[int] = []

    def keep(task: str, ids: list[int]) -> bool:
        asked.extend(ids)
        return True

    monkeypatch.setattr(carrying, "enqueue", keep)
    return asked


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < deadline, "It did not happen in time: see var/tests/log/worker.log"
        time.sleep(0.05)


def test_it_works(
    team: Team, alice: User, queue: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    campaign = ready(team)
    with django_capture_on_commit_callbacks(execute=True):
        asked = ask_launch(campaign, alice)
    assert asked.state == Launch.State.WAITING and queue == [asked.pk] == unfinished(LAUNCHING)
    carry_out(LAUNCHING, asked.pk)
    campaign.refresh_from_db()
    asked.refresh_from_db()
    assert (campaign.state, asked.state, campaign.places.count()) == (Campaign.State.LIVE, Launch.State.DONE, 48)
    entry = AuditEntry.objects.get(act="launched")
    assert (entry.actor, entry.subject_name) == (alice, campaign.name) and unfinished(LAUNCHING) == []


def test_asking_twice_finds_the_same(team: Team, queue: list[int]) -> None:
    campaign = ready(team)
    assert ask_launch(campaign, None) == ask_launch(campaign, None)
    assert Launch.objects.count() == 1


def test_a_task_that_comes_again_does_nothing(team: Team, queue: list[int]) -> None:
    asked = ask_launch(ready(team), None)
    carry_out(LAUNCHING, asked.pk)
    carry_out(LAUNCHING, asked.pk)
    carry_out(LAUNCHING, asked.pk + 1)
    assert Launch.objects.get().state == Launch.State.DONE and Place.objects.count() == 48


def test_what_is_in_the_way_is_told_and_it_can_be_asked_for_again(team: Team, queue: list[int]) -> None:
    campaign = ready(team)
    text = campaign.sample.filter(role="item")[0].text
    kept = list(Explanation.objects.filter(text=text))
    Explanation.objects.filter(text=text).delete()
    asked = ask_launch(campaign, None)
    carry_out(LAUNCHING, asked.pk)
    asked.refresh_from_db()
    assert asked.state == Launch.State.FAILED and "explanations are missing" in asked.error
    assert not Stimulus.objects.exists() and not AuditEntry.objects.exists()
    Explanation.objects.bulk_create(kept)
    carry_out(LAUNCHING, ask_launch(campaign, None).pk)
    asked.refresh_from_db()
    assert (asked.state, asked.error) == (Launch.State.DONE, "")


def test_a_fault_of_ours_is_told_too(team: Team, queue: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask_launch(ready(team), None)
    monkeypatch.setattr(starting, "launch", lambda campaign, told: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        carry_out(LAUNCHING, asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.error) == (Launch.State.FAILED, "It could not be launched: division by zero")


def test_what_would_lose_workers_is_not_even_asked_for(team: Team, queue: list[int]) -> None:
    campaign = ready(team, exit_redirect="https://app.prolific.co/submissions/complete?cc={code}")
    with pytest.raises(CampaignError, match=r"app\.prolific\.com"):
        ask_launch(campaign, None)
    assert launch_of(campaign) is None


def test_back_in_draft_nothing_is_launched(team: Team, queue: list[int]) -> None:
    campaign = ready(team)
    asked = ask_launch(campaign, None)
    back_to_draft(campaign)
    carry_out(LAUNCHING, asked.pk)
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.DRAFT and launch_of(campaign) is None


def test_without_a_queue_it_says_so(
    team: Team,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: False)
    with django_capture_on_commit_callbacks(execute=True):
        asked = ask_launch(ready(team), None)
    asked.refresh_from_db()
    assert (asked.state, asked.error) == (Launch.State.FAILED, NO_QUEUE)


def test_texts_are_read_many_at_once(team: Team, queue: list[int]) -> None:
    few, counts = ready(team, texts=36), []
    many = copy_campaign(few)
    Campaign.objects.filter(pk=many.pk).update(texts_per_label=30)
    prepare(many, None)
    work(many)
    settle(many)
    for campaign in (few, many):
        asked = ask_launch(campaign, None)
        with CaptureQueriesContext(connection) as queries:
            carry_out(LAUNCHING, asked.pk)
        counts.append(len(queries))
    assert counts[0] == counts[1] and Place.objects.count() == (6 + 60) * 8


@pytest.mark.django_db(transaction=True)
def test_another_process_that_gets_the_same_task_tries_later(team: Team, queue: list[int]) -> None:
    asked = ask_launch(ready(team), None)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(hashtext(%s), %s)", ["campaigns_launch", asked.pk])
        with pytest.raises(ClaimedElsewhere):
            carry_out(LAUNCHING, asked.pk)
    finally:
        other.close()
    with claimed("campaigns_launch", asked.pk + 1):
        wait_for(lambda: carried_out(asked.pk))
    assert Place.objects.count() == 48


def carried_out(pk: int) -> bool:
    """The database lets go of a closed connection's locks when it notices."""
    try:
        carry_out(LAUNCHING, pk)
    except ClaimedElsewhere:
        return False
    return True


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_ask_once(team: Team, queue: list[int]) -> None:
    campaign = ready(team)

    def click(number: int) -> int:
        try:
            return ask_launch(Campaign.objects.get(pk=campaign.pk), None).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(click, range(4)))) == 1
    assert len(queue) >= 1 and Launch.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_while_nothing_of_it_is(team: Team, queue: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """And meanwhile nobody waits for it who wants the campaign back in draft."""
    asked = ask_launch(ready(team), None)
    seen: list[tuple[str, int, int, int]] = []
    refused: list[str] = []

    def look(*_: object) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(watch).result()

    def watch() -> None:
        row = Launch.objects.select_related("campaign").get(pk=asked.pk)
        seen.append((row.state, row.done, row.total, Stimulus.objects.count()))
        try:
            back_to_draft(row.campaign)
        except CampaignError as error:
            refused.append(str(error))
        finally:
            connection.close()

    monkeypatch.setattr("campaigns.launching.write_places", look)
    carry_out(LAUNCHING, asked.pk)
    assert seen == [("waiting", 24, 24, 0)]
    assert refused == ["The campaign is being launched just now: wait until that is done."]


@pytest.mark.django_db
def test_what_is_launched_while_its_page_is_made_is_shown_as_launched(team: Team) -> None:
    looked_at = ready(team)
    carry_out(LAUNCHING, ask_launch(Campaign.objects.get(pk=looked_at.pk), None).pk)
    assert looked_at.state == Campaign.State.READY
    assert campaign_page(looked_at)["step"] == "launched" and looked_at.state == Campaign.State.LIVE


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_worker_killed_half_way_leaves_nothing_and_the_next_one_launches(_test_database_url: str, team: Team) -> None:
    campaign = ready(team)
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE campaigns_place IN SHARE MODE")  # It gets as far as the places, and waits.
        asked = ask_launch(campaign, None)
        with celery_worker() as worker:
            wait_for(lambda: Launch.objects.get(pk=asked.pk).step == "Giving every judgment its place")
            assert worker.alive(), "The Celery worker ended by itself: see var/tests/log/worker.log"
            os.killpg(worker.pid, signal.SIGKILL)
        assert not Stimulus.objects.exists() and unfinished(LAUNCHING) == [asked.pk]
        other.rollback()
    finally:
        other.close()
    with celery_worker():
        wait_for(lambda: Launch.objects.get(pk=asked.pk).state == Launch.State.DONE)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.stimuli.count(), campaign.places.count()) == (Campaign.State.LIVE, 26, 48)
