"""The schema is true: schemathesis asks the real server for all that it says, and finds nothing."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import drf_spectacular.validation
import jsonschema_rs
import pytest
from drf_spectacular.renderers import OpenApiJsonRenderer

from accounts.api.tokens import make_token
from accounts.models import Team, User
from config.environment import ROOT
from config.serving import web
from tests.api.materials_access import furnish as furnish_materials
from tests.api.reaching import operations, schema
from tests.api.study_access import furnish as furnish_study

CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture
def server(_test_database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("API_REQUESTS_PER_MINUTE", "API_STRANGER_REQUESTS_PER_MINUTE"):
        monkeypatch.setenv(name, "1000000")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with web(port) as url:
        yield url


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_schemathesis_finds_nothing(server: str, team: Team, alice: User, bob: User, eve: User, tmp_path: Path) -> None:
    at = furnish_materials(team, alice) | furnish_study(team, alice)
    given = {
        "PEEKAWORD_TOKEN": make_token(alice, "schemathesis")[1],
        "PEEKAWORD_AT": json.dumps(at),
        "SCHEMATHESIS_HOOKS": "tests.api.existing",
        "PYTHONPATH": str(ROOT),
        "NO_COLOR": "1",
    }
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIG), "run"]
    how = ["--continue-on-failure", "--no-shrink", "--warnings", "off"]
    told = subprocess.run(
        [*command, f"{server}/api/schema/", *how],
        cwd=tmp_path, env=os.environ | given, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr


def test_it_is_openapi_3_1() -> None:
    specification = Path(drf_spectacular.validation.__file__).with_name("openapi_3_1_schema.json")
    told = OpenApiJsonRenderer().render(schema())
    assert schema()["openapi"].startswith("3.1")
    jsonschema_rs.validate(json.loads(specification.read_text()), json.loads(told))


def test_every_operation_says_its_scope_and_its_problems() -> None:
    for method, path, one in operations():
        assert one["security"] and {"400", "429", "500"} <= set(one["responses"]), f"{method} {path}"
        if path != "/api/v1/token/":
            assert one["security"][0]["token"], f"{method} {path}"
            assert "application/problem+json" in one["responses"]["401"]["content"]
