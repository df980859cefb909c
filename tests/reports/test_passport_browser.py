"""The passport in a real browser: what htmx adds, the keyboard, room on a phone, and no barrier that axe finds."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from celery import current_app
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from materials.models import Run
from tests.conftest import PASSWORD
from tests.materials.passport.building import known_classifier

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)


@pytest.fixture(params=["light", "dark"])
def page(
    request: pytest.FixtureRequest,
    chromium: Browser,
    live_server: LiveServer,
    alice: User,
    team: Team,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Page]:
    monkeypatch.setattr(current_app, "send_task", lambda name, args: None)
    classifier, _ = known_classifier(team, texts=3)
    classifier.seconds_per_piece = 0.001
    classifier.save()
    page = chromium.new_page(base_url=live_server.url, viewport=WIDE, color_scheme=request.param)
    page.goto("/sign-in/?next=/classifiers/critic/passport/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/passport/")
    yield page
    page.close()


def test_it_has_no_barriers_and_fits_a_phone(page: Page) -> None:
    page.get_by_text("Which methods and metrics").click()
    page.get_by_role("link", name="Kernel SHAP").click()
    expect(page.get_by_role("group", name="Metrics of Kernel SHAP")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_keyboard_sorts_and_starts(page: Page) -> None:
    page.get_by_role("button", name="Tau-LOO").press("Enter")
    ranks = page.locator(".table-pinned tbody tr td:nth-child(7)").all_text_contents()
    assert [int(rank.split()[0]) for rank in ranks] == list(range(1, 9))
    page.get_by_label("Texts", exact=True).fill("4")
    expect(page.get_by_role("button", name="Compute for 4 texts")).to_be_visible()
    expect(page.locator("#compute-estimate")).to_contain_text("of one worker process")
    page.get_by_role("button", name="Compute for 4 texts").press("Enter")
    expect(page.get_by_role("heading", name="Explaining and scoring")).to_be_visible()
    assert Run.objects.count() == 2
