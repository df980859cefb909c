"""Fixtures that start real processes on the test database: a Celery worker and a Chromium."""

import os
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import pytest
from celery import current_app
from django.db import connection
from playwright.sync_api import Browser, sync_playwright

from config.serving import celery_worker

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def _test_database_url(django_db_setup: None) -> Iterator[str]:
    """Child processes read the environment, so it names the test database while they are started."""
    original = os.environ["DATABASE_URL"]
    parts = urlsplit(original)
    os.environ["DATABASE_URL"] = urlunsplit(parts._replace(path="/" + str(connection.settings_dict["NAME"])))
    yield os.environ["DATABASE_URL"]
    os.environ["DATABASE_URL"] = original


@pytest.fixture(scope="module")
def celery_process(_test_database_url: str) -> Iterator[None]:
    """A real worker on the test database. Tests that use it commit: mark them django_db(transaction=True).

    It ends with the module: tests of others do its work themselves, by classifiers that it does not have.
    """
    current_app.control.purge()
    with celery_worker() as worker:
        while not current_app.control.ping(timeout=1):
            assert worker.alive(), "The Celery worker ended: see var/tests/log/worker.log"
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium found: install Debian's package chromium")
    with sync_playwright() as playwright:
        # Playwright's event loop would make Django refuse its synchronous database calls in this thread.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
        )
        yield browser
        browser.close()
