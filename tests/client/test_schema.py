"""The client holds what the schema says: every operation has a method, and every member that a type names is there."""

import ast
import inspect
import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from campaigns.acting import ACTIONS
from peekaword_client import ApiError, Peekaword, types
from peekaword_client.campaigns import Act
from tests.api.reaching import operations, schema
from tests.client.played import SAMPLES
from typing_out import write_types

# Operations without a method of their own, and why.
WITHOUT: dict[str, str] = {}
AREAS = ["catalogue", "datasets", "uploads", "imports", "classifiers", "runs", "campaigns", "participants", "judgments",
         "reports", "teams", "webhooks", "archives", "prolific", "removals", "drafts"]  # fmt: skip


class Recorder(httpx.BaseTransport):
    """Answers every request with something of the right kind, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append((request.method, request.url.path))
        if request.url.path.endswith(("/stream/", "/all/")):
            return httpx.Response(200, text="{}\n")
        return httpx.Response(200, json={"next": None, "results": [], "offset": 1, "state": "done"})


def _calls(peekaword: Peekaword) -> Iterator[Any]:
    yield peekaword.token
    for area in AREAS:
        for name, method in inspect.getmembers(getattr(peekaword, area), inspect.ismethod):
            if not name.startswith("_"):
                yield method


def _call(method: Any, folder: Path) -> None:
    """With a sample for every argument that it needs."""
    needed = {
        name: folder / "made" if name == "to" else SAMPLES[name]
        for name, one in inspect.signature(method).parameters.items()
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    }
    if "file" in needed:
        needed["file"] = folder / "file.csv"
    try:
        answer = method(**needed)
        if isinstance(answer, Iterator):
            list(answer)
    except (KeyError, TypeError, ApiError):
        return  # What was asked is known; what was answered was made up.


def test_every_operation_has_a_method(tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text("text\na film\n")
    recorder = Recorder()
    with Peekaword("http://x.example", "t", transport=recorder, pause=lambda seconds: None) as peekaword:
        for method in _calls(peekaword):
            _call(method, tmp_path)
    known = [f"{method} {path}" for method, path, _ in operations()]
    asked = {name for name in known for one in recorder.asked if _fits(name, *one)}
    assert sorted(set(known) - asked) == sorted(WITHOUT)
    assert [one for one in recorder.asked if not any(_fits(name, *one) for name in known)] == []


def _fits(name: str, method: str, path: str) -> bool:
    wanted, _, template = name.partition(" ")
    pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template))
    return wanted == method and re.fullmatch(pattern, path) is not None


def _named() -> list[str]:
    return [name for name, one in vars(types).items() if typing.is_typeddict(one)]


@pytest.mark.parametrize("name", _named())
def test_every_member_that_a_type_names_is_in_the_schema(name: str) -> None:
    component = schema()["components"]["schemas"][name]
    ours = getattr(types, name)
    assert set(ours.__annotations__) <= set(component["properties"])
    if name.endswith("Request"):
        assert set(component.get("required", ())) <= ours.__required_keys__


def test_the_types_can_be_written_anew() -> None:
    written = ast.parse(write_types(json.loads(json.dumps(schema()))))
    assert {node.name for node in written.body if isinstance(node, ast.ClassDef)} >= set(_named())


def test_every_act_of_a_campaign_can_be_asked_for() -> None:
    assert set(typing.get_args(Act)) == set(ACTIONS)
