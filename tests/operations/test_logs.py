"""Log lines: for machines and for people, with ids of what they belong to and without what leads to a person."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app
from django.test import Client

from config.celery import log_as_settings_say
from operations import identifying
from operations.lines import Json, Words

Lines = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def no_request_before() -> None:
    identifying._forget()


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What is logged meanwhile, as JSON lines read again."""
    written: Lines = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(self.format(record)))

    handler, root = Keep(), logging.getLogger()
    handler.setFormatter(Json())
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)


def record(message: str, *args: object, **extra: Any) -> logging.LogRecord:
    made = logging.makeLogRecord({"name": "reports", "levelname": "ERROR", "msg": message, "args": args})
    made.__dict__.update(extra)
    return made


def test_it_works() -> None:
    line = json.loads(Json().format(record("no account of %s", "alice@example.org", campaign=7)))
    assert line.pop("time") and line == {
        "level": "ERROR", "logger": "reports", "message": "no account of [hidden]", "campaign": 7,
    }  # fmt: skip


def test_what_a_task_was_given_is_in_no_line() -> None:
    assert "dear" not in Json().format(record("Task received", data={"args": "('Hello dear Wanda',)"}))


def test_words_are_scrubbed_too() -> None:
    assert Words("%(message)s").format(record("/w/reviews/7.abc/leave/")) == "/w/reviews/[hidden]/leave/"


def test_an_error_has_its_traceback_scrubbed_on_one_line() -> None:
    try:
        raise ValueError("wanda@example.org")
    except ValueError as error:
        failed = record("failed", exc_info=(type(error), error, error.__traceback__))
    written = Json().format(failed)
    assert "\n" not in written and "ValueError: [hidden]" in json.loads(written)["exc_info"]


@pytest.mark.django_db
def test_a_request_s_lines_bear_the_id_that_its_answer_bears(client: Client, lines: Lines) -> None:
    answer = client.get("/nowhere/at/all")
    assert [line["request_id"] for line in lines if line["logger"] == "django.request"] == [answer["X-Request-ID"]]


@pytest.mark.django_db
def test_a_worker_s_token_is_in_no_line(client: Client, lines: Lines) -> None:
    answer = client.get("/w/nowhere/7.a-very-secret-pass/?PROLIFIC_PID=60f1")
    said = json.dumps(lines)
    assert "X-Request-ID" not in answer and "/w/nowhere/[hidden]/" in said
    assert "very-secret-pass" not in said and "60f1" not in said


@pytest.mark.django_db
def test_an_id_is_taken_from_a_proxy_that_is_trusted_alone(client: Client, settings: Any) -> None:
    given = {"X-Request-ID": "of-the-proxy-0001"}
    assert client.get("/healthz", headers=given)["X-Request-ID"] != "of-the-proxy-0001"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert client.get("/healthz", headers=given)["X-Request-ID"] == "of-the-proxy-0001"
    assert "\n" not in client.get("/healthz", headers={"X-Request-ID": "two\nlines of it"})["X-Request-ID"]


def test_a_task_bears_the_id_of_what_asked_for_it_and_ends_with_it() -> None:
    headers: dict[str, Any] = {}
    identifying._current.set({"HTTP_HOST": "localhost", "peekaword.request_id": "0123456789abcdef"})
    identifying._send_along(headers)
    task = current_app.tasks["celery.backend_cleanup"]
    task.push_request(**headers)
    identifying._take_up("an-id", task)
    assert identifying.current_ids() == {"task_id": "an-id", "task": task.name, "request_id": "0123456789abcdef"}
    identifying._send_along(again := dict[str, Any]())
    assert again == {"request_id": "0123456789abcdef"}
    identifying._forget()
    task.pop_request()
    assert identifying.current_ids() == {}


def test_celery_leaves_logging_as_it_is() -> None:
    before, level = logging.getLogger().handlers[:], logging.getLogger("celery").level
    log_as_settings_say(loglevel=logging.ERROR)
    assert logging.getLogger("celery").level == logging.ERROR and logging.getLogger().handlers == before
    logging.getLogger("celery").setLevel(level)
