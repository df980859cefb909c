"""What browsers are told to forbid, on every kind of page."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from config.environment import ROOT
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker
from tests.judging.walking import arrive, page_of

STRICT = {
    "default-src": "'self'", "object-src": "'none'", "base-uri": "'none'", "form-action": "'self'",
    "frame-ancestors": "'none'", "img-src": "'self' data:",
}  # fmt: skip


def policy_of(response: Any) -> dict[str, str]:
    parts = [part.strip().partition(" ") for part in response["Content-Security-Policy"].split(";")]
    return {name: value for name, _, value in parts}


@pytest.mark.django_db
def test_it_works(client: Client, alice: User) -> None:
    for response in (client.get("/sign-in/"), signed_in(alice).get("/campaigns/"), client.get("/nowhere/")):
        assert policy_of(response) == STRICT
        assert response["X-Content-Type-Options"] == "nosniff" and response["X-Frame-Options"] == "DENY"
        assert response["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in response["Permissions-Policy"] and "geolocation=()" in response["Permissions-Policy"]
        assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_no_link_from_a_workers_page_tells_its_address(client: Client, team: Team) -> None:
    campaign = live_campaign(team)
    wanda = worker(campaign)
    leaving = client.post(page_of(wanda, "worker_leave"))
    for response in (
        client.get(page_of(wanda)),
        client.get(page_of(wanda, "worker_time")),
        client.get(reverse("worker_arrival", args=[campaign.slug])),
        client.get("/w/films/no-such-token/"),
        leaving,
    ):
        assert response["Referrer-Policy"] == "no-referrer"


@pytest.mark.django_db
def test_a_campaigns_pages_stand_in_the_frames_of_its_own_hosts_alone(client: Client, team: Team) -> None:
    hosts = "https://www.mturk.com https://workersandbox.mturk.com"
    framed = arrive(client, live_campaign(team, slug="framed", recruitment="mturk_protocol"), workerId="wanda")
    assert policy_of(framed) == STRICT | {"frame-ancestors": hosts, "form-action": f"'self' {hosts}"}
    assert "X-Frame-Options" not in framed
    plain = arrive(client, live_campaign(team, slug="plain"), PROLIFIC_PID="wanda")
    assert policy_of(plain) == STRICT and plain["X-Frame-Options"] == "DENY"


TAG = re.compile(r"{[%#].*?[%#]}", re.DOTALL)
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\bsrc=)(?![^>]*application/json)|\son[a-z]+=|javascript:")


# Files to take home, which have to hold all that they need.
STANDALONE = {"heat_maps.html", "report.html"}


def test_no_template_has_what_the_policy_forbids() -> None:
    pages = [path for path in (ROOT / "templates").rglob("*.html") if path.name not in STANDALONE]
    written = {path.name: TAG.sub("", path.read_text()) for path in pages}
    wrong = [f"{name}: {found[0]}" for name, page in written.items() if (found := INLINE.search(page))]
    assert len(pages) > 50 and not wrong


KEY = "a-key-for-checks-alone-0123456789-abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What Django says of the settings of a server."""
    environment = {
        "PATH": os.environ["PATH"], "PEEKAWORD_VAR": str(tmp_path_factory.mktemp("var")), "SECRET_KEY": KEY,
        "DATABASE_URL": "postgres://peekaword:secret@localhost:1/peekaword", "REDIS_URL": "redis://localhost:1/0",
        "ALLOWED_HOSTS": "peekaword.example", "CSRF_TRUSTED_ORIGINS": "https://peekaword.example",
    }  # fmt: skip
    script = (
        "from django.conf import settings as s;"
        "from django.core.management import call_command as call;"
        "import django; django.setup(); call('check', deploy=True, fail_level='DEBUG');"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SESSION_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE,"
        "s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT, s.DEBUG)"
    )
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=Path(ROOT), capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


def test_django_finds_nothing_wrong_with_a_server(deployed: str) -> None:
    assert "no issues" in deployed, deployed


def test_cookies_travel_encrypted_and_are_hidden_from_scripts(deployed: str) -> None:
    assert "True True True Lax 31536000 True False" in deployed, deployed
