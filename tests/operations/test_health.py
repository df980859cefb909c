import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from operations import health

pytestmark = pytest.mark.django_db


def test_it_works(client: Client) -> None:
    assert client.get("/healthz").content == b"ok\n"


def test_ready_means_that_the_database_and_the_queue_answer_and_that_the_tables_are_the_codes(client: Client) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "queue": "ok", "migrations": "ok"})


def test_a_silent_queue_is_told_without_its_address(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise ConnectionRefusedError("redis://:password@redis:6379")

    monkeypatch.setattr(health, "_ask_queue", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["queue"]) == (503, "ConnectionRefusedError")
    assert "redis" not in response.content.decode()


def test_a_database_that_is_older_than_the_code_is_told(client: Client) -> None:
    MigrationRecorder(connection).record_unapplied("operations", "0001_failed_tasks")
    response = client.get("/readyz")
    assert (response.status_code, response.json()["migrations"]) == (503, "Unapplied")


def test_it_asks_the_database_little(client: Client, django_assert_max_num_queries: object) -> None:
    client.get("/readyz")
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        client.get("/readyz")


def test_it_rejects_a_post(client: Client) -> None:
    assert (client.post("/healthz").status_code, client.post("/readyz").status_code) == (405, 405)
