"""Requests that get lost, are refused, or come too fast, against a played server."""

import json
from collections.abc import Callable

import httpx
import pytest

from peekaword_client import ApiError, NotDoneInTime, NotReached, Peekaword, PeekawordError, Step

Answer = httpx.Response | Exception


class Played(httpx.BaseTransport):
    """Gives its answers one after the other, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.got = [*answers], list[httpx.Request]()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.got.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def _client(*answers: Answer, pauses: list[float] | None = None) -> tuple[Peekaword, Played]:
    played = Played(*answers)
    keep: Callable[[float], None] = (pauses if pauses is not None else []).append
    return Peekaword("http://x.example", "pkw_t", transport=played, pause=keep), played


TEAM = {"id": 1, "name": "Lab"}
LOST = httpx.ReadTimeout("no answer")
NOT_THERE = httpx.ConnectError("nobody listens")


def test_it_works() -> None:
    peekaword, played = _client(httpx.Response(200, json=TEAM))
    assert peekaword.teams.get(1)["name"] == "Lab"
    assert played.got[0].headers["Authorization"] == "Bearer pkw_t"


@pytest.mark.parametrize(("url", "said"), [("", "No server is named"), ("peekaword.example", "is no web address")])
def test_without_a_server_it_says_at_once_what_to_set(url: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PEEKAWORD_URL", raising=False)
    with pytest.raises(PeekawordError, match=f"{said}.*set PEEKAWORD_URL"):
        Peekaword(url)


def test_a_lost_write_is_sent_again_under_the_same_key() -> None:
    peekaword, played = _client(LOST, httpx.Response(503), httpx.Response(201, json=TEAM))
    assert peekaword.teams.create("Lab") == TEAM
    keys = {request.headers["Idempotency-Key"] for request in played.got}
    assert len(played.got) == 3 and len(keys) == 1
    assert {request.content for request in played.got} == {json.dumps({"name": "Lab"}, separators=(",", ":")).encode()}


def test_two_writes_have_two_keys() -> None:
    peekaword, played = _client(*[httpx.Response(201, json=TEAM)] * 2)
    for _ in range(2):
        peekaword.teams.create("Lab")
    assert len({request.headers["Idempotency-Key"] for request in played.got}) == 2


def test_what_answers_with_a_secret_is_not_sent_again_once_it_may_have_arrived() -> None:
    peekaword, played = _client(LOST)
    with pytest.raises(NotReached, match="no answer"):
        peekaword.webhooks.renew_secret(1)
    assert len(played.got) == 1


def test_what_cannot_have_arrived_is_sent_again() -> None:
    peekaword, _ = _client(NOT_THERE, httpx.Response(200, json={"secret": "s"}))
    assert peekaword.webhooks.renew_secret(1)["secret"] == "s"


def test_it_waits_as_long_as_the_server_says() -> None:
    pauses: list[float] = []
    slow = httpx.Response(429, headers={"Retry-After": "7"})
    peekaword, _ = _client(slow, httpx.Response(200, json=TEAM), pauses=pauses)
    assert peekaword.teams.get(1) == TEAM
    assert pauses == [7.0]


def test_pauses_grow_and_end() -> None:
    pauses: list[float] = []
    peekaword, played = _client(*[NOT_THERE] * 6, pauses=pauses)
    with pytest.raises(NotReached):
        peekaword.teams.get(1)
    assert len(played.got) == 6 and len(pauses) == 5
    assert all(later > sooner for sooner, later in zip(pauses, pauses[2:], strict=False))


def test_a_problem_says_what_is_wrong_where() -> None:
    problem = {
        "title": "It cannot be done", "code": "unprocessable", "detail": "See errors.",
        "errors": [{"pointer": "/ks", "detail": "Give at least one number.", "code": "invalid"}],
    }  # fmt: skip
    peekaword, played = _client(httpx.Response(422, json=problem))
    with pytest.raises(ApiError, match="422 It cannot be done: /ks: Give at least one number.") as caught:
        peekaword.campaigns.change("films", ks=[])
    assert caught.value.errors == {"/ks": "Give at least one number."} and len(played.got) == 1


def test_a_server_that_speaks_no_json_is_an_error_too() -> None:
    peekaword, _ = _client(httpx.Response(404, text="<html>"))
    with pytest.raises(ApiError, match="404"):
        peekaword.teams.get(1)


def test_pages_are_followed_and_the_token_goes_nowhere_else() -> None:
    pages = [
        {"next": "http://elsewhere.example/api/v1/teams/?cursor=MQ", "results": [TEAM]},
        {"next": None, "results": [TEAM | {"id": 2}]},
    ]
    peekaword, played = _client(*[httpx.Response(200, json=page) for page in pages])
    assert [team["id"] for team in peekaword.teams.list()] == [1, 2]
    assert [request.url.host for request in played.got] == ["x.example"] * 2
    assert played.got[1].url.query == b"cursor=MQ"


def test_a_job_is_waited_for_with_progress() -> None:
    told: list[Step] = []
    rows = [{"job": "prepare", "state": state, "done": done, "total": 4, "step": ""}
            for state, done in (("running", 1), ("running", 3), ("done", 4))]  # fmt: skip
    campaign = {"slug": "films", "state": "ready"}
    answers = [httpx.Response(200, json=one) for one in [campaign, *rows, campaign]]
    peekaword, _ = _client(*answers)
    assert peekaword.campaigns.prepare("films", told.append)["state"] == "ready"
    assert [step.done for step in told] == [1, 3, 4]


def test_waiting_ends_in_time() -> None:
    running = {"job": "judge", "state": "running", "done": 1, "total": 4, "step": ""}
    peekaword, _ = _client(*[httpx.Response(200, json=running)] * 3)
    with pytest.raises(NotDoneInTime, match="judge goes on"):
        peekaword.campaigns.wait("films", "judge", timeout=-1)
