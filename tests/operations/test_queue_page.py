"""The page of the queue: for owners whether work gets done, for staff what failed, with a way to send it again."""

import time
from typing import Any

import pytest
import redis
from celery import current_app
from django.test import Client
from kombu.exceptions import OperationalError

from accounts.models import User
from operations import beacons, queueing, showing
from operations.models import FailedTask
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db

NAME = "celery@of-this-test"


@pytest.fixture
def worker() -> Any:
    """One that lives, and is at work."""
    task = {"id": "1", "name": "workers.explain_chunk", "args": [7], "since": time.time() - 130}
    beacons.light(beacons.WORKER + NAME, {"at": time.time(), "tasks": [task]})
    beacons.light(f"{beacons.GPU}{NAME}:0", {"used": 2**30, "total": 8 * 2**30, "ours": 2**29})
    yield
    beacons.client().delete(beacons.WORKER + NAME, f"{beacons.GPU}{NAME}:0")


@pytest.fixture
def sam(alice: User) -> User:
    """Who runs the server."""
    alice.is_staff = True
    alice.save()
    return alice


@pytest.fixture
def failed() -> FailedTask:
    return FailedTask.objects.create(
        task_id="of-this-test", name="reports.build_report", args=[12], reason="ValueError: no", request_id="0123abcd"
    )


def test_it_works(alice: User, worker: None, failed: FailedTask) -> None:
    page = signed_in(alice).get("/queue/").content.decode()
    assert NAME in page and "workers.explain_chunk" in page and "2\xa0minutes" in page
    assert "1.0\xa0GB of 8.0\xa0GB" in page and "Explanations, predictions and classifiers" in page
    # What failed may be of other teams.
    assert "reports.build_report" not in page and "Tasks that failed" not in page


def test_staff_see_what_failed_and_why(sam: User, failed: FailedTask) -> None:
    page = signed_in(sam).get("/queue/").content.decode()
    assert "reports.build_report" in page and "ValueError: no" in page and "0123abcd" in page


def test_the_part_that_changes_is_asked_for_alone(sam: User, worker: None, failed: FailedTask) -> None:
    part = signed_in(sam).get("/queue/", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div class="stack" id="standing"') and NAME in part and "<html" not in part


def test_a_failed_task_is_sent_again_once(sam: User, failed: FailedTask, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda *task: sent.append(task))
    client = signed_in(sam)
    page = client.post(f"/queue/{failed.pk}/retry/", follow=True)
    assert sent == [("reports.build_report", [12])] and "was sent again" in page.content.decode()
    assert client.post(f"/queue/{failed.pk}/retry/").status_code == 404 and len(sent) == 1


def test_what_was_given_words_is_not_kept_and_not_sent_again(sam: User, failed: FailedTask) -> None:
    FailedTask.objects.update(args=None)
    client = signed_in(sam)
    assert "Ask for it anew" in client.get("/queue/").content.decode()
    assert client.post(f"/queue/{failed.pk}/retry/").status_code == 404


def test_without_a_queue_it_stays_to_be_sent(sam: User, failed: FailedTask, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", refuse)
    page = signed_in(sam).post(f"/queue/{failed.pk}/retry/", follow=True)
    failed.refresh_from_db()
    assert "cannot be reached" in page.content.decode() and failed.retried_at is None


def test_it_says_that_nobody_is_there(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "seen", lambda prefix: {})
    page = signed_in(alice).get("/queue/").content.decode()
    assert "No worker process is alive" in page and "Nobody sends the recurring tasks" in page


def test_it_says_that_the_queue_is_away(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise redis.ConnectionError

    monkeypatch.setattr(queueing, "client", refuse)
    assert "cannot be reached" in signed_in(alice).get("/queue/").content.decode()


def test_it_rejects_wrong_methods(sam: User, failed: FailedTask) -> None:
    client = signed_in(sam)
    assert (client.post("/queue/").status_code, client.get(f"/queue/{failed.pk}/retry/").status_code) == (405, 405)


def test_who_owns_no_team_is_refused(bob: User, client: Client, failed: FailedTask) -> None:
    assert client.get("/queue/").status_code == 302
    assert signed_in(bob).get("/queue/").status_code == 403
    assert signed_in(bob).post(f"/queue/{failed.pk}/retry/").status_code == 403


def test_an_owner_does_not_send_again(alice: User, failed: FailedTask) -> None:
    assert signed_in(alice).post(f"/queue/{failed.pk}/retry/").status_code == 403


def test_many_rows_take_as_many_queries_as_one(sam: User, django_assert_max_num_queries: Any) -> None:
    FailedTask.objects.bulk_create(
        FailedTask(task_id=str(number), name="reports.build_report", reason="ValueError") for number in range(120)
    )
    client = signed_in(sam)
    with django_assert_max_num_queries(20):
        page = client.get("/queue/").content.decode()
    assert page.count("reports.build_report") >= 50 and "of 120" in page
