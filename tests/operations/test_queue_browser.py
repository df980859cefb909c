"""The page of the queue in a browser: for everybody, on every screen, and alive."""

import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from operations import beacons
from operations.models import FailedTask
from tests.conftest import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path(__file__).resolve().parents[2] / "var" / "screenshots"
NAME = "celery@gpu-of-this-test"


@pytest.fixture
def staff(alice: User) -> User:
    alice.is_staff = True
    alice.save()
    FailedTask.objects.create(
        task_id="one", name="reports.build_report", args=[12], request_id="4f1c0a9be2d35577",
        reason="OSError: [Errno 28] No space left on device: '/app/var/media/reports/which-words-help-report.zip.part'",
    )  # fmt: skip
    FailedTask.objects.create(task_id="two", name="accounts.send_mail", args=None, reason="SMTPException: refused")
    return alice


def light(number: int) -> None:
    task = {"id": "1", "name": "workers.explain_chunk", "args": [number], "since": time.time() - 130}
    beacons.light(beacons.WORKER + NAME, {"at": time.time(), "tasks": [task]}, seconds=600)
    beacons.light(f"{beacons.GPU}{NAME}:0", {"used": 21 * 2**30, "total": 80 * 2**30, "ours": 2**30}, seconds=600)


def test_it_works(chromium: Browser, live_server: LiveServer, staff: User) -> None:
    """It fits, axe finds nothing, and what workers are at changes by itself."""
    light(70001)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium.new_context(base_url=live_server.url) as context:
        value = signed_in(staff).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
        page, faults = context.new_page(), list[str]()
        page.on("console", lambda message: faults.append(message.text))
        page.set_default_timeout(120_000)
        page.goto("/queue/")
        for width, height in ((360, 740), (1440, 900)):
            page.set_viewport_size(ViewportSize(width=width, height=height))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=FOLDER / f"queue-{width}-{scheme}.png", full_page=True, animations="disabled")
                found = Axe().run(page)
                assert found.violations_count == 0, found.generate_report()
        light(70002)
        expect(page.get_by_text("70002")).to_be_visible(timeout=60_000)
        assert faults == []
    beacons.client().delete(beacons.WORKER + NAME, f"{beacons.GPU}{NAME}:0")
