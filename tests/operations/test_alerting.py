"""Errors to Sentry: off by default, and without anything of whom they met."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sentry_sdk
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from sentry_sdk.transport import Transport

from operations import alerting

ROOT = Path(__file__).resolve().parents[2]
# Said here alone, as events quote the lines of code around a fault.
PASS, PERSON = "7.a-very-secret-pass", "60f1e2d3"


class Kept(Transport):
    """Sends nothing anywhere."""

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self.events: list[Any] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.events += [item.payload.json for item in envelope.items if item.type == "event"]


@pytest.fixture
def sent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    settings.SENTRY_DSN = "https://public@sentry.example/1"
    transport, init = Kept(), sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda *args, **kwargs: init(*args, **kwargs, transport=transport))
    alerting.start()
    yield transport.events
    init()


def test_it_works(sent: Any) -> None:
    try:
        raise ValueError("wanda@example.org at /w/reviews/7.abc/")
    except ValueError as error:
        sentry_sdk.capture_exception(error)
    (event,) = sent
    (fault,) = event["exception"]["values"]
    assert fault["type"] == "ValueError" and fault["value"] == "[hidden] at /w/reviews/[hidden]/"
    assert all("vars" not in frame for frame in fault["stacktrace"]["frames"])


@pytest.mark.django_db
def test_a_failed_request_tells_nothing_of_its_worker(sent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("of the code")

    client = Client(raise_request_exception=False)
    client.cookies["peekaword_worker"] = PASS
    monkeypatch.setattr("judging.views.find", fail)
    answer = client.post(f"/w/reviews/{PASS}/?PROLIFIC_PID={PERSON}", {"label": "positive"})
    assert answer.status_code == 500
    (event,) = [one for one in sent if one.get("exception")]
    assert "user" not in event and event["tags"]["request_id"]
    assert PASS not in str(event) and PERSON not in str(event)


def test_a_request_leaves_method_and_address_alone() -> None:
    request = {
        "url": "https://a.example/w/reviews/7.abc/",
        "method": "POST",
        "cookies": {"peekaword_worker": "7.abc"},
        "headers": {"Cookie": "peekaword_worker=7.abc", "Referer": "https://a.example/w/reviews/7.abc/"},
        "query_string": "PROLIFIC_PID=60f1",
        "env": {"REMOTE_ADDR": "192.0.2.7"},
        "data": {"label": "positive"},
    }
    event = alerting.clean({"request": request, "user": {"email": "alice@example.org"}}, {})
    assert (
        event["request"] == {"url": "https://a.example/w/reviews/[hidden]/", "method": "POST"} and "user" not in event
    )


def test_it_says_what_to_install(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SENTRY_DSN = "https://public@sentry.example/1"
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match=r"pip install 'peekaword\[sentry\]'"):
        alerting.start()


def test_without_a_dsn_it_is_not_even_imported() -> None:
    code = "import sys; sys.path[:0] = ['.', 'platform']; import config.wsgi; print('sentry_sdk' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
