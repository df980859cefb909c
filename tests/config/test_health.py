import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_it_works(client: Client) -> None:
    assert client.get("/healthz").content == b"ok\n"


def test_ready_means_that_the_database_and_the_queue_answer(client: Client) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "queue": "ok"})


def test_a_silent_queue_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from config import health

    def refuse() -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(health, "_ask_queue", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["queue"]) == (503, "ConnectionRefusedError")


def test_it_rejects_a_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
