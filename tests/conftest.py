import os
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest
from django.db import connection
from django.test import Client

from accounts.access import found_team
from accounts.models import Membership, Team, User

pytest_plugins = ["tests.processes"]

# A busy machine is no fault of the code's.
hypothesis.settings.register_profile(
    "peekaword", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("peekaword")

PASSWORD = "a long enough pass phrase"
PUBLISHED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def team(db: None) -> Team:
    return Team.objects.create(name="Saliency lab")


def _person(name: str, team: Team | None, role: str = "") -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    if team:
        Membership.objects.create(team=team, user=user, role=role)
    return user


@pytest.fixture
def alice(team: Team) -> User:
    """A researcher who owns the team."""
    return _person("alice", team, Membership.Role.OWNER)


@pytest.fixture
def bob(team: Team) -> User:
    """An analyst: reads results, and no data about workers."""
    return _person("bob", team, Membership.Role.ANALYST)


@pytest.fixture
def eve(team: Team) -> User:
    """An editor."""
    return _person("eve", team, Membership.Role.EDITOR)


@pytest.fixture
def charlie(db: None) -> User:
    """A researcher of another team: no access."""
    user = _person("charlie", None)
    found_team(user, "Another lab")
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def plain_http(settings: object) -> Iterator[None]:
    """Tests speak HTTP without TLS, hash passwords fast, and sign in as often as they like."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    settings.ACCOUNT_RATE_LIMITS = False  # type: ignore[attr-defined]
    yield


BUSY = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND state IN ('active', 'idle in transaction')
"""


@pytest.fixture(autouse=True)
def answered(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a page sent as it closed is answered before the database is emptied, which would deadlock with it."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    for _ in range(100):
        with connection.cursor() as cursor:
            cursor.execute(BUSY)
            if not cursor.fetchone()[0]:
                return
        time.sleep(0.05)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are numbered, not spelled: a compressed file holds the second it was made, and processes must agree."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with a long test begin first, then those with a browser: no process works alone at the end."""
    long = {item.path for item in items if item.get_closest_marker("long")}
    browser = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: (item.path not in long, item.path not in browser))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under PEEKAWORD_NO_SKIPS a skip is a failure; only published data that is not here may be missing."""
    report = yield
    strict = os.environ.get("PEEKAWORD_NO_SKIPS") and (PUBLISHED.exists() or "published" not in str(report.longrepr))
    if report.skipped and strict and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Skipped where nothing may be skipped: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report.nodeid for report in terminalreporter.stats.get("skipped", []) if "browser" in report.keywords]
    if skipped:
        terminalreporter.section("browser tests that did not run, for want of a Chromium")
        for nodeid in skipped:
            terminalreporter.write_line(nodeid)
