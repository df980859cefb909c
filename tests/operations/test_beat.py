"""The recurring tasks: what beat sends, some worker does, and coming twice does no harm."""

import importlib
import time
from datetime import timedelta

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.beat import app
from config.serving import celery_beat
from operations import beacons
from operations.models import FailedTask
from operations.tasks import clear_sessions, forget_failures


@pytest.mark.django_db
@pytest.mark.parametrize("name", [entry["task"] for entry in app.conf.beat_schedule.values()])
def test_every_scheduled_task_is_one_that_workers_know_and_may_come_twice(name: str) -> None:
    importlib.import_module(f"{name.partition('.')[0]}.tasks")
    task = current_app.tasks[name]
    task()
    task()


@pytest.mark.django_db
def test_sessions_and_failures_go_when_they_are_old() -> None:
    now = timezone.now()
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(days=days))
        FailedTask.objects.create(task_id=key, name="workers.explain_chunk", reason="ValueError: no")
    FailedTask.objects.filter(task_id="old").update(failed_at=now - timedelta(days=31))
    clear_sessions()
    forget_failures()
    assert [row.session_key for row in Session.objects.all()] == ["new"]
    assert [row.task_id for row in FailedTask.objects.all()] == ["new"]


@pytest.mark.django_db
@pytest.mark.usefixtures("_test_database_url")
def test_beat_shows_that_it_lives() -> None:
    beacons.client().delete(beacons.BEAT)
    assert beacons.main("beat") == 1
    with celery_beat() as beat:
        while not beacons.seen(beacons.BEAT):
            assert beat.alive(), "Beat ended: see var/tests/log/beat.log"
            time.sleep(0.1)
        assert beacons.main("beat") == 0
