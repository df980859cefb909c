import json
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from config import auditing
from config.auditing import Unreachable, known_holes, pinned
from config.environment import ROOT
from config.management.commands import audit

VERSIONS = {"sound": "2.0", "holed": "1.0"}


def osv(request: httpx.Request) -> httpx.Response:
    asked = [one["package"]["name"] for one in json.loads(request.content)["queries"]]
    found = {"holed": {"vulns": [{"id": "PYSEC-1"}, {"id": "PYSEC-2"}]}}
    return httpx.Response(200, json={"results": [found.get(name, {}) for name in asked]})


def test_it_works() -> None:
    assert known_holes(VERSIONS, httpx.MockTransport(osv)) == {"holed": ["PYSEC-1", "PYSEC-2"]}


def test_what_is_accepted_is_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "ACCEPTED", {"PYSEC-1": "Not called here.", "PYSEC-2": "Not called here."})
    assert known_holes(VERSIONS, httpx.MockTransport(osv)) == {}


def test_every_pin_is_asked_for() -> None:
    text = (ROOT / "constraints.txt").read_text()
    versions = pinned(text)
    assert {"Django", "httpx", "nh3"} <= versions.keys()
    assert len(versions) == sum("==" in line for line in text.splitlines())


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(503), httpx.Response(200, text="<html>"), httpx.Response(200, json=[]),
     httpx.Response(200, json={"results": []})],
)  # fmt: skip
def test_an_answer_that_is_none_is_not_taken_for_a_clean_one(answer: httpx.Response) -> None:
    with pytest.raises(Unreachable):
        known_holes(VERSIONS, httpx.MockTransport(lambda request: answer))


def test_the_command_says_what_was_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "known_holes", lambda versions: {"Django": ["PYSEC-1"]})
    with pytest.raises(SystemExit) as ended:
        call_command("audit")
    assert ended.value.code == 1 and "PYSEC-1" in capsys.readouterr().out


def test_without_a_network_it_says_so_and_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def away(versions: Any) -> Any:
        raise Unreachable("no network")

    monkeypatch.setattr(audit, "known_holes", away)
    call_command("audit")
    assert "nothing was checked: no network" in capsys.readouterr().err
