"""What became of tasks."""

from types import SimpleNamespace

import pytest
from django.db import DatabaseError

from operations import beacons, noting, tallying
from operations.models import FailedTask

pytestmark = pytest.mark.django_db

TASK = SimpleNamespace(name="reports.build_of_this_test", request={"request_id": "0123456789abcdef"})


@pytest.fixture(autouse=True)
def fresh_tallies() -> None:
    beacons.client().delete(tallying.TASKS)


def test_it_works() -> None:
    noting._note_failure(TASK, "an-id", ValueError("no such file"), args=[12], kwargs={})
    failed = FailedTask.objects.get()
    assert (failed.name, failed.args, failed.rows) == (TASK.name, [12], "12")
    assert (failed.reason, failed.request_id) == ("ValueError: no such file", "0123456789abcdef")
    assert beacons.tally(tallying.TASKS)[f"{TASK.name}|failed"] == 1


def test_a_reason_names_nobody_and_no_nul_is_stored() -> None:
    noting._note_failure(TASK, "an-id", ValueError("wanda@example.org\0"), args=[12], kwargs={})
    assert FailedTask.objects.get().reason == "ValueError: [hidden]\ufffd"


@pytest.mark.parametrize(("args", "kwargs"), [(["Dear Wanda"], {}), ([12], {"to": "wanda"})])
def test_words_that_a_task_was_given_are_not_kept(args: list[object], kwargs: dict[str, object]) -> None:
    noting._note_failure(TASK, "an-id", ValueError(), args=args, kwargs=kwargs)
    assert FailedTask.objects.get().args is None and FailedTask.objects.get().rows == ""


def test_a_task_that_fails_twice_has_one_row() -> None:
    for reason in ("one", "two"):
        noting._note_failure(TASK, "an-id", ValueError(reason), args=[12], kwargs={})
    assert FailedTask.objects.get().reason == "ValueError: two"


def test_successes_and_retries_are_counted() -> None:
    noting._count_success(TASK)
    noting._count_retry(TASK)
    noting._count_retry(TASK)
    tallied = beacons.tally(tallying.TASKS)
    assert (tallied[f"{TASK.name}|succeeded"], tallied[f"{TASK.name}|retried"]) == (1, 2)


def test_a_database_that_is_away_makes_it_no_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise DatabaseError("password=secret")

    monkeypatch.setattr(FailedTask.objects, "update_or_create", refuse)
    noting._note_failure(TASK, "an-id", ValueError(), args=[12], kwargs={})
