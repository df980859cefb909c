"""Walking through solved examples on a phone, by thumb and by keys."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import Team
from campaigns.models import Campaign
from judging.starting import agree
from tests.campaigns.actors import live
from tests.judging.test_learning_pages import LEARNING
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live(team, **LEARNING | {"baselines": []})


@pytest.fixture(params=["light", "dark"])
def page(request: Any, chromium: Browser, live_server: Any, campaign: Campaign) -> Iterator[Page]:
    """At the first example."""
    participation = campaign.participations.create(worker_hash="wanda", named=True, quota=8)
    agree(participation)
    context = chromium.new_context(viewport=ViewportSize(width=360, height=740), color_scheme=request.param)
    page = context.new_page()
    page.goto(f"{live_server.url}{page_of(participation)}")
    page.get_by_role("button", name="See the examples").click()
    yield page
    context.close()


def violations(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(each["id"], node["html"]) for each in found for node in each["nodes"]]


def test_it_works(page: Page) -> None:
    expect(page.get_by_text("Example 1 of 4")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_text("Example 2 of 4")).to_be_visible()
    assert page.title() == "Example 2 of 4"
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("Example 1 of 4")).to_be_visible()
    for number in (2, 3, 4):
        page.get_by_role("button", name="Next example").click()
        expect(page.get_by_text(f"Example {number} of 4")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="That was the last example").click()
    expect(page.get_by_text("Practice 1 of 2")).to_be_visible()
    assert violations(page) == []
