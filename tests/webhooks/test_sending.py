import socket
import time
from typing import Any

import pytest

from tests.webhooks.receiving import Receiver
from webhooks.sending import EXCERPT, post

HEADERS = {"Peekaword-Event": "ping"}


def test_it_works(receiver: Receiver) -> None:
    receiver.answer(202, b"thank you")
    answer = post(receiver.url, HEADERS, b'{"a": 1}')
    assert (answer.status, answer.response, answer.error, answer.arrived) == (202, "thank you", "", True)
    (message,) = receiver.got
    assert (message.path, message.body, message.headers["Content-Type"]) == ("/hook", b'{"a": 1}', "application/json")
    assert message.headers["Peekaword-Event"] == "ping"


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_an_error_is_a_failure_that_says_so(receiver: Receiver, status: int) -> None:
    receiver.answer(status, b"no")
    answer = post(receiver.url, HEADERS, b"{}")
    assert (answer.status, answer.response, answer.arrived) == (status, "no", False)
    assert f"It answered {status}" in answer.error


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    receiver.answer(302, Location="http://169.254.169.254/latest/meta-data/")
    answer = post(receiver.url, HEADERS, b"{}")
    assert answer.status == 302 and "redirects are not followed" in answer.error
    assert len(receiver.got) == 1


def test_a_server_that_says_nothing_is_left_in_time(receiver: Receiver) -> None:
    receiver.hanging = True
    started = time.monotonic()
    answer = post(receiver.url, HEADERS, b"{}", seconds=0.3)
    assert answer.status is None and "did not answer" in answer.error
    assert time.monotonic() - started < 10


def test_a_server_that_speaks_a_byte_at_a_time_is_left_in_time_too(receiver: Receiver) -> None:
    receiver.dripping = True
    answer = post(receiver.url, HEADERS, b"{}", seconds=0.5)
    assert answer.status is None and answer.error


def test_only_the_beginning_of_a_long_answer_is_kept(receiver: Receiver) -> None:
    receiver.answer(200, b"a\0" + b"x" * 1_000_000)
    answer = post(receiver.url, HEADERS, b"{}")
    assert len(answer.response) == EXCERPT and answer.response.startswith("a\ufffdx")


def test_nobody_listening_is_a_failure(receiver: Receiver) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = post(f"http://127.0.0.1:{taken.getsockname()[1]}/", HEADERS, b"{}")
    assert answer.status is None and answer.error.startswith("It could not be reached")


def test_without_a_network_of_our_own_nothing_reaches_this_machine(receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = []
    answer = post(receiver.url, HEADERS, b"{}")
    assert answer.status is None and "nothing is sent there" in answer.error
    assert receiver.got == []
