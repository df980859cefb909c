"""The plan in a real browser: the keyboard, room on a phone, and no barrier that axe finds."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from reports import planning_forms
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)


@pytest.fixture(params=["light", "dark"])
def page(
    request: pytest.FixtureRequest,
    chromium: Browser,
    live_server: LiveServer,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Page]:
    monkeypatch.setattr(planning_forms, "BUDGET", 50_000)
    page = chromium.new_page(base_url=live_server.url, viewport=WIDE, color_scheme=request.param)
    page.goto("/sign-in/?next=/campaigns/plan/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/plan/")
    yield page
    page.close()


def test_the_keyboard_plans_without_a_barrier_on_any_screen(page: Page) -> None:
    page.get_by_label("What workers do").select_option("rating")
    page.get_by_label("Difference worth finding").fill("0.8")
    page.get_by_label("Difference worth finding").press("Enter")
    expect(page.get_by_role("heading", name="It takes")).to_be_visible()
    page.get_by_text("Variance and alpha").press("Enter")
    expect(page.get_by_role("spinbutton", name="Alpha")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
