"""The worker's page in a real browser: what the script adds, and that nothing is lost without it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

from campaigns.models import Campaign
from judging.models import Judgment, Participation
from tests.judging.building import CODE, worker
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = ViewportSize(width=360, height=740)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=PHONE, color_scheme="dark")
    yield context
    context.close()


@pytest.fixture
def address(live_server: Any, wanda: Participation) -> str:
    return f"{live_server.url}{page_of(wanda)}"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def losing_posts(times: int) -> Callable[[Route], None]:
    """The first posts never reach the server."""
    lost: list[str] = []

    def handle(route: Route) -> None:
        if route.request.method == "POST" and len(lost) < times:
            lost.append(route.request.url)
            return route.abort()
        return route.continue_()

    return handle


def choose(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).click()


def test_it_works(page: Page) -> None:
    page.evaluate("window.sameDocument = true")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert page.evaluate("window.sameDocument") is True
    judgment = Judgment.objects.get()
    assert judgment.answer == {"answer": "positive"}
    assert judgment.response_ms is not None and 0 < judgment.response_ms < 60_000
    assert judgment.shown == {"width": 360, "height": 740, "ratio": 1, "scheme": "dark"}


def test_arrows_move_between_answers(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_arrows_follow_the_direction_of_the_page(context: BrowserContext, live_server: Any, campaign: Campaign) -> None:
    page = context.new_page()
    page.goto(f"{live_server.url}{page_of(worker(campaign, 'bert', language='ar'))}")
    page.keyboard.press("1")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="positive")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="negative")).to_be_focused()


def test_the_keys_are_told_where_there_is_a_keyboard(chromium: Browser, address: str) -> None:
    for touch in (False, True):
        context = chromium.new_context(has_touch=touch, is_mobile=touch)
        page = context.new_page()
        page.goto(address)
        expect(page.locator("details.keys")).to_be_visible(visible=not touch)
        context.close()


def test_a_number_alone_sends_nothing(page: Page) -> None:
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="positive")).to_be_focused()
    page.wait_for_timeout(200)
    assert not Judgment.objects.exists()


def test_a_double_click_is_one_answer_to_one_text(page: Page) -> None:
    page.get_by_role("button", name="positive").dblclick()
    expect(page.get_by_text("2 of 40")).to_be_visible()
    page.wait_for_timeout(300)
    assert Judgment.objects.count() == 1


def test_an_answer_that_did_not_get_through_is_sent_again(page: Page) -> None:
    page.route("**/w/**", losing_posts(1))
    choose(page, "positive")
    expect(page.get_by_text("Not saved yet, trying again")).to_be_visible()
    expect(page.get_by_text("2 of 40")).to_be_visible(timeout=10_000)
    assert Judgment.objects.count() == 1


def test_an_answer_whose_receipt_was_lost_is_saved_once(page: Page) -> None:
    lost: list[str] = []

    def lose_the_receipt(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append("receipt")
            route.fetch()
            return route.abort()
        return route.continue_()

    page.route("**/w/**", lose_the_receipt)
    choose(page, "positive")
    expect(page.get_by_text("nothing was saved twice")).to_be_visible(timeout=10_000)
    assert Judgment.objects.count() == 1


def test_an_unsent_answer_survives_the_closed_page(context: BrowserContext, page: Page, address: str) -> None:
    page.route("**/w/**", losing_posts(99))
    choose(page, "positive")
    expect(page.get_by_text("Not saved yet, trying again")).to_be_visible()
    assert not Judgment.objects.exists()
    page.close()
    later = context.new_page()
    later.goto(address)
    expect(later.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_a_reload_after_an_answer_shows_the_next_text(page: Page) -> None:
    choose(page, "positive")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    page.reload()
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.count() == 1


def test_the_address_after_the_practice_is_the_pages_own(
    context: BrowserContext, live_server: Any, campaign: Campaign
) -> None:
    page = context.new_page()
    page.goto(f"{live_server.url}/w/{campaign.slug}/")
    choose(page, "I agree, go on")
    choose(page, "Start the practice")
    for following in ("Next practice text", "Start"):
        choose(page, "positive")
        choose(page, following)
    expect(page.get_by_text("1 of 6")).to_be_visible()
    assert page.url == f"{live_server.url}{page_of(campaign.participations.get())}"
    page.reload()
    expect(page.get_by_text("1 of 6")).to_be_visible()


def test_the_end_comes_without_a_page_load(context: BrowserContext, live_server: Any, campaign: Campaign) -> None:
    page = context.new_page()
    page.goto(f"{live_server.url}{page_of(worker(campaign, 'bert', quota=1))}")
    choose(page, "Cannot tell")
    expect(page.get_by_text(CODE)).to_be_visible()


def test_without_script_everything_works(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    choose(page, "negative")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    page.reload()  # Sends the form again.
    expect(page.get_by_text("nothing was saved twice")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("2 of 40")).to_be_visible()
    context.close()
    assert Judgment.objects.get().answer == {"answer": "negative"}


def test_nothing_sticks_out_of_a_phone_and_nothing_is_refused(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    choose(page, "positive")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert complaints == []


def test_time_in_another_window_is_no_active_time(page: Page) -> None:
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(400)
    page.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    choose(page, "positive")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    judgment = Judgment.objects.get()
    assert judgment.response_ms is not None and judgment.active_ms is not None
    assert judgment.shown["away_count"] == 1 and 350 < judgment.shown["away_ms"] < judgment.response_ms
    assert abs(judgment.response_ms - judgment.active_ms - judgment.shown["away_ms"]) < 100


def test_who_was_there_all_the_time_was_active_all_the_time(page: Page) -> None:
    choose(page, "positive")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    judgment = Judgment.objects.get()
    assert judgment.response_ms is not None and judgment.active_ms is not None
    assert judgment.response_ms - judgment.active_ms < 50


def test_each_item_has_times_of_its_own(page: Page) -> None:
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    choose(page, "positive")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    page.wait_for_timeout(150)
    choose(page, "positive")
    expect(page.get_by_text("3 of 40")).to_be_visible()
    last = Judgment.objects.order_by("-pk")[0]
    assert last.active_ms is not None and last.active_ms > 100 and "away_count" not in last.shown
