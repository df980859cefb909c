import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import env_bool, env_float, env_int, env_list

ROOT = Path(__file__).resolve().parents[2]


def test_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SWITCH", "On")
    monkeypatch.setenv("A_NUMBER", "7")
    monkeypatch.setenv("A_LIST", "a, b,,c")
    assert (env_bool("A_SWITCH", False), env_int("A_NUMBER", 1), env_list("A_LIST")) == (True, 7, ["a", "b", "c"])


def test_an_empty_value_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_NUMBER", "")
    assert env_int("A_NUMBER", 3) == 3


@pytest.mark.parametrize("value", ["seven", "-1", "1.5"])
def test_it_refuses_what_is_no_whole_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("A_NUMBER", value)
    with pytest.raises(ImproperlyConfigured, match="A_NUMBER=.*whole number"):
        env_int("A_NUMBER", 3)


def test_it_refuses_what_is_no_switch_and_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_VALUE", "maybe")
    with pytest.raises(ImproperlyConfigured, match="true or false"):
        env_bool("A_VALUE", True)
    with pytest.raises(ImproperlyConfigured, match="a number"):
        env_float("A_VALUE", 1.0)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DATABASE_URL", "sqlite:///peekaword.db", "expected postgres://"),
        ("REDIS_URL", "amqp://localhost", "expected redis://"),
        ("TOKEN_BUDGET", "many", "TOKEN_BUDGET='many': expected a whole number of at least 0."),
    ],
)
def test_a_malformed_setting_stops_the_start_with_one_line(name: str, value: str, told: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "PEEKAWORD_EMBEDDED": "1", name: value},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert told in done.stderr and "Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_server_without_a_secret_key_does_not_start() -> None:
    env = {key: value for key, value in os.environ.items() if key not in {"SECRET_KEY", "PEEKAWORD_EMBEDDED"}}
    done = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "SECRET_KEY is not set" in done.stderr
