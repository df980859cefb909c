import socket
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from tests.webhooks.receiving import Receiver, receive
from webhooks.sending import EXCERPT, Answer, post

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


def test_a_body_without_an_end_is_left_once_its_beginning_is_known(receiver: Receiver) -> None:
    receiver.endless = True
    started = time.monotonic()
    answer, most = _measured(lambda: post(receiver.url, HEADERS, b"{}"))
    assert answer.arrived and len(answer.response) == EXCERPT
    assert time.monotonic() - started < 5 and most < 2_000_000, "bytes held at once, with the receiver's own"


def test_an_answer_of_ten_megabytes_is_not_held(receiver: Receiver) -> None:
    body = b"y" * 10_000_000
    receiver.answer(200, body)
    answer, most = _measured(lambda: post(receiver.url, HEADERS, b"{}"))
    assert answer.response == "y" * EXCERPT and most < 2_000_000


def test_a_megabyte_of_headers_is_refused_and_not_held(receiver: Receiver) -> None:
    receiver.answers.append((200, {f"X-{number}": "z" * 1000 for number in range(1000)}, b""))
    answer, most = _measured(lambda: post(receiver.url, HEADERS, b"{}", seconds=5))
    assert answer.status is None and answer.error.startswith("It could not be reached")
    assert most < 5_000_000


def test_a_body_that_drips_after_its_headers_is_left_in_time(receiver: Receiver) -> None:
    receiver.dripping_body = True
    started = time.monotonic()
    answer = post(receiver.url, HEADERS, b"{}", seconds=0.5)
    assert not answer.arrived and time.monotonic() - started < 5


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_leads_inside(receiver: Receiver, status: int) -> None:
    with receive() as inside:
        receiver.answer(status, Location=inside.url)
        answer = post(receiver.url, HEADERS, b"{}")
        assert (answer.status, answer.arrived, inside.got) == (status, False, [])


def _measured(send: Callable[[], Answer]) -> tuple[Answer, int]:
    """With the most bytes that were held at once meanwhile."""
    tracemalloc.start()
    try:
        return send(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
