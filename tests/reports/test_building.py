"""Report files are made once by worker processes, whatever is killed, doubled or asked for twice."""

import io
import os
import signal
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Team, User
from campaigns.models import Campaign
from config.serving import celery_worker
from materials import carrying
from materials.carrying import NO_QUEUE, carry_out, unfinished
from materials.claiming import ClaimedElsewhere
from reports import building
from reports.aggregating import data_key
from reports.building import BUILDING, archive_of, build_of, drawn_of, is_current, shown_build, state_of
from reports.files import File
from reports.models import ReportBuild
from reports.tasks import build_report
from tests.reports.campaigns import judged_campaign

State = ReportBuild.State


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is sent to worker processes, and to nobody."""
    asked: list[int] = []

    def keep(task: str, ids: list[int]) -> bool:
        asked.extend(ids)
        return True

    monkeypatch.setattr(carrying, "enqueue", keep)
    return asked


@pytest.fixture
def quick(queue: list[int], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One small file in place of all."""
    monkeypatch.setattr(building, "draw_figures", lambda report: {})
    monkeypatch.setattr(building, "make_files", lambda parcel, told: [File("report.json", b"{}")])
    return queue


def another_judgment(campaign: Campaign) -> None:
    """Data that a report made before does not know of."""
    campaign.participations.filter(state="completed").update(state="returned", erased_at="2026-01-01T00:00Z")


def test_it_works(
    campaign: Campaign, queue: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        build = state_of(campaign, None)
    assert build.state == State.WAITING and queue == [build.pk] == unfinished(BUILDING)
    build_report(build.pk)
    build.refresh_from_db()
    assert build.state == State.DONE and build.done == build.total == building.ALL_STEPS and build.percent == 100
    packed = archive_of(campaign)
    assert packed
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert {f"films-topk-guess-report/{name}" for name in ("report.pdf", "data/judgments.parquet", "heds.json")} < set(
        names
    )
    assert unfinished(BUILDING) == [] and is_current(build)


def test_asking_twice_finds_the_same(campaign: Campaign, quick: list[int]) -> None:
    first, second = state_of(campaign, None), state_of(campaign, None)
    assert first == second
    carry_out(BUILDING, first.pk)
    assert state_of(campaign, None).pk == first.pk and ReportBuild.objects.count() == 1


def test_while_one_is_made_new_data_ask_for_no_other(campaign: Campaign, quick: list[int]) -> None:
    first = state_of(campaign, None)
    another_judgment(campaign)
    assert state_of(campaign, None) == first
    carry_out(BUILDING, first.pk)
    first.refresh_from_db()
    assert is_current(first)


def test_new_data_replace_the_old_build_when_the_new_one_is_done(campaign: Campaign, quick: list[int]) -> None:
    first = state_of(campaign, None)
    carry_out(BUILDING, first.pk)
    another_judgment(campaign)
    assert build_of(campaign) == first and not is_current(first)
    second = state_of(campaign, None)
    assert second != first and archive_of(campaign)
    carry_out(BUILDING, second.pk)
    assert list(ReportBuild.objects.values_list("pk", flat=True)) == [second.pk]


def test_a_task_that_comes_again_does_nothing(
    campaign: Campaign, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    build = state_of(campaign, None)
    carry_out(BUILDING, build.pk)
    monkeypatch.setattr(building, "study_of", None)
    carry_out(BUILDING, build.pk)
    carry_out(BUILDING, build.pk + 1)


def test_what_a_killed_worker_left_is_made_anew(campaign: Campaign, quick: list[int]) -> None:
    build = state_of(campaign, None)
    ReportBuild.objects.filter(pk=build.pk).update(step="Figures", done=7)
    assert unfinished(BUILDING) == [build.pk]
    carry_out(BUILDING, build.pk)
    build.refresh_from_db()
    assert build.state == State.DONE


def test_a_failure_is_told_and_can_be_asked_for_again(
    campaign: Campaign, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    build = state_of(campaign, None)
    with monkeypatch.context() as broken:
        broken.setattr(building, "draw_figures", lambda report: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            carry_out(BUILDING, build.pk)
    build.refresh_from_db()
    assert (build.state, build.error) == (State.FAILED, "It could not be made: division by zero")
    assert state_of(campaign, None).state == State.WAITING
    carry_out(BUILDING, build.pk)
    build.refresh_from_db()
    assert (build.state, build.error) == (State.DONE, "")


def test_without_a_queue_it_says_so(
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: False)
    with django_capture_on_commit_callbacks(execute=True):
        build = state_of(campaign, None)
    build.refresh_from_db()
    assert (build.state, build.error) == (State.FAILED, NO_QUEUE)


def test_a_large_report_is_there_once_it_is_built(
    campaign: Campaign, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = drawn_of(campaign)
    monkeypatch.setattr(building, "LARGE", 10)
    assert drawn_of(campaign) is None
    carry_out(BUILDING, state_of(campaign, None).pk)
    large = drawn_of(campaign)
    assert small and large and large.report == small.report and large.figures == {}
    another_judgment(campaign)
    assert drawn_of(campaign) == large


def test_whoever_looks_at_a_large_report_has_it_kept_up_but_not_all_the_time(
    campaign: Campaign, alice: User, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown_build(campaign, alice) is None and not ReportBuild.objects.exists()
    monkeypatch.setattr(building, "LARGE", 10)
    first = shown_build(campaign, alice)
    assert first and first.under_way and first.asked_by == alice
    carry_out(BUILDING, first.pk)
    another_judgment(campaign)
    assert shown_build(campaign, alice) == first
    monkeypatch.setattr(building, "PAUSE", timedelta(0))
    second = shown_build(campaign, alice)
    assert second and second != first and second.under_way and shown_build(campaign, alice) == second
    carry_out(BUILDING, second.pk)
    found = shown_build(campaign, alice)
    assert found == second and found.state == State.DONE


def test_a_change_of_state_is_new_data(campaign: Campaign, quick: list[int]) -> None:
    build = state_of(campaign, None)
    carry_out(BUILDING, build.pk)
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.CLOSED)
    campaign.refresh_from_db()
    build.refresh_from_db()
    assert not is_current(ReportBuild.objects.select_related("campaign").get(pk=build.pk))


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_make_it_once(
    campaign: Campaign, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    build, made = state_of(campaign, None), []

    def slow(campaign: Campaign) -> str:
        made.append(campaign.pk)
        time.sleep(0.5)
        return original(campaign)

    original = data_key
    monkeypatch.setattr(building, "data_key", slow)

    def work(number: int) -> bool:
        try:
            carry_out(BUILDING, build.pk)
        except ClaimedElsewhere:
            return False  # It is tried again, and finds nothing to do.
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert any(pool.map(work, range(3)))
    assert made == [campaign.pk]
    assert ReportBuild.objects.get().state == State.DONE


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_makes_it(campaign: Campaign, celery_process: None) -> None:
    build = state_of(campaign, None)
    deadline = time.monotonic() + 60
    while ReportBuild.objects.get(pk=build.pk).state != State.DONE and time.monotonic() < deadline:
        time.sleep(0.2)
    assert archive_of(campaign)


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_half_way_leaves_it_to_the_next_one(campaign: Campaign, _test_database_url: str) -> None:
    build, other = state_of(campaign, None), connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE judging_judgment IN ACCESS EXCLUSIVE MODE")  # It begins to read, and waits.
        with celery_worker() as worker:
            wait_for(lambda: ReportBuild.objects.get(pk=build.pk).step == building.STEPS[0])
            assert worker.alive(), "The Celery worker ended by itself: see var/tests/log/worker.log"
            os.killpg(worker.pid, signal.SIGKILL)
        assert unfinished(BUILDING) == [build.pk] and archive_of(campaign) is None
        other.rollback()
    finally:
        other.close()
    with celery_worker():
        wait_for(lambda: ReportBuild.objects.get(pk=build.pk).state == State.DONE)
    assert archive_of(campaign) and ReportBuild.objects.count() == 1


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not done():
        assert time.monotonic() < deadline, "It did not happen in time: see var/tests/log/worker.log"
        time.sleep(0.05)
