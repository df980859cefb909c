"""The wizard in a real browser: what is typed is saved without a click, and a closed tab loses nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.models import Sketch
from tests.campaigns.actors import draft
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
START = "/campaigns/new/?protocol=topk_guess&dataset=films&classifier=critic"
SOON = 20_000


@pytest.fixture
def context(chromium: Browser, live_server: LiveServer, alice: User, team: Team) -> Iterator[BrowserContext]:
    draft(team)
    with chromium.new_context(base_url=live_server.url) as context:
        page = context.new_page()
        page.goto("/sign-in/")
        page.get_by_label("Username").fill("alice")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Home", exact=True).wait_for()
        page.close()
        yield context


def name(page: Page) -> str:
    return page.locator("input[name=name]").input_value()


def test_what_is_typed_is_saved_and_there_again(context: BrowserContext) -> None:
    """By keys alone."""
    page = context.new_page()
    page.goto(START)
    page.locator("input[name=name]").focus()
    page.keyboard.type("Half a thought")
    expect(page.locator("#autosave")).to_contain_text("Saved at", timeout=SOON)
    page.wait_for_url("**/campaigns/new/?sketch=*")
    page.keyboard.type(" more")
    page.close()
    again = context.new_page()
    for _ in range(100):
        if "more" in Sketch.objects.get().filled_in:
            break
        again.wait_for_timeout(100)
    again.goto(Sketch.objects.get().get_absolute_url())
    assert name(again) == "Half a thought more"


def test_the_later_of_two_tabs_is_told(context: BrowserContext) -> None:
    pages = [context.new_page(), context.new_page()]
    for page in pages:
        page.goto("/campaigns/which-words-matter/edit/")
    for number, page in enumerate(pages):
        page.bring_to_front()
        page.locator("input[name=question]").fill(f"Question {number}?")
        expect(page.locator("#autosave")).to_contain_text("Saved at", timeout=SOON)
    expect(pages[1].get_by_role("alert")).to_contain_text("Both are kept")
    assert Sketch.objects.count() == 2


def test_what_cannot_be_saved_is_told_and_stays(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    page.route("**/autosave/", lambda route: route.abort())
    page.locator("input[name=name]").fill("Offline")
    expect(page.locator("#autosave")).to_contain_text("Not saved just now", timeout=SOON)
    page.unroute("**/autosave/")
    page.locator("input[name=name]").fill("Online again")
    expect(page.locator("#autosave")).to_contain_text("Saved at", timeout=SOON)
    assert Sketch.objects.get().name == "Online again"
