"""Ten minutes without a connection, a reload, a closed tab and a second tab: nothing that a worker gave is lost."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect

from accounts.models import Team
from campaigns.asking import read_questions
from judging.models import Assignment, Judgment, Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UNSENT = "Not saved yet, trying again"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.set_offline(False)
    context.close()


@pytest.fixture
def address(live_server: Any, wanda: Participation) -> str:
    return f"{live_server.url}{page_of(wanda)}"


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def answer_offline(context: BrowserContext, page: Page, label: str = "positive") -> None:
    context.set_offline(True)
    page.get_by_role("button", name=label).click()
    expect(page.get_by_text(UNSENT)).to_be_visible()


def test_it_works(context: BrowserContext, address: str) -> None:
    """By the page's clock ten minutes pass; the answer is sent as soon as there is a connection."""
    page = context.new_page()
    page.clock.install()
    page.goto(address)
    answer_offline(context, page)
    page.clock.run_for("10:00")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    assert not Judgment.objects.exists()
    context.set_offline(False)
    page.clock.run_for("00:31")
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_coming_back_needs_no_waiting(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    answer_offline(context, page)
    context.set_offline(False)  # The browser tells the page.
    expect(page.get_by_text("2 of 40")).to_be_visible(timeout=3000)


def test_a_networks_log_in_page_is_no_receipt(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    asked: list[str] = []

    def stand_between(route: Route) -> None:
        if route.request.method == "POST" and not asked:
            asked.append(route.request.url)
            return route.fulfill(body="<!doctype html><title>Log in</title>", content_type="text/html")
        return route.continue_()

    page.route("**/w/**", stand_between)
    page.get_by_role("button", name="positive").click()
    expect(page.get_by_text(UNSENT)).to_be_visible()
    expect(page.get_by_text("2 of 40")).to_be_visible(timeout=10_000)
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_an_answer_outlives_a_reload_without_a_connection(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    answer_offline(context, page)
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        page.reload()
    context.set_offline(False)
    page.goto(address)
    expect(page.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_a_closed_tab_and_the_next_one_send_it(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    answer_offline(context, page)
    page.close()
    context.set_offline(False)
    expect(opened(context, address).get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.count() == 1


def test_a_second_tab_takes_no_other_answer_and_sends_the_first(context: BrowserContext, address: str) -> None:
    first, second = opened(context, address), opened(context, address)
    answer_offline(context, first, "positive")
    expect(second.get_by_text(UNSENT)).to_be_visible()
    expect(second.get_by_role("button", name="negative")).to_be_disabled()
    first.close()
    context.set_offline(False)
    expect(second.get_by_text("2 of 40")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive"}


def test_what_is_half_filled_in_outlives_a_reload(context: BrowserContext, live_server: Any, team: Team) -> None:
    questions = read_questions("How old are you? [number]\n\nWhat else? [text]\n\nDo you read?\n- Yes\n- No")
    campaign = live_campaign(team, demographics=questions)
    address = f"{live_server.url}{page_of(worker(campaign, state=Participation.State.CONSENTED))}"
    page = opened(context, address)
    page.get_by_label("How old are you?").fill("41")
    page.get_by_label("What else?").fill("Nothing, thank you.")
    page.get_by_label("No", exact=True).check()
    page.close()
    page = opened(context, address)
    expect(page.get_by_label("How old are you?")).to_have_value("41")
    expect(page.get_by_label("What else?")).to_have_value("Nothing, thank you.")
    expect(page.get_by_label("No", exact=True)).to_be_checked()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("How it works")).to_be_visible()
    assert Participation.objects.get().answers["before"][0] == 41
    assert page.evaluate("localStorage.length") == 0


def test_marks_outlive_a_reload_and_belong_to_their_text(context: BrowserContext, live_server: Any, team: Team) -> None:
    campaign = live_campaign(team, protocol="rationale_marking", cannot_tell=False)
    address = f"{live_server.url}{page_of(worker(campaign))}"
    page = opened(context, address)
    page.get_by_text("great", exact=True).click()
    page.reload()
    expect(page.get_by_text("1 word is marked.")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("2 of 40")).to_be_visible()
    expect(page.get_by_text("No word is marked yet.")).to_be_visible()


def test_time_that_runs_out_is_announced_and_more_is_a_click_away(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(address)
    notice = page.get_by_text("The time for this text is nearly over.")
    page.clock.run_for("07:50")
    expect(notice).to_be_hidden()
    page.clock.run_for("00:15")
    expect(notice).to_be_visible()
    before = Assignment.objects.get().deadline
    page.get_by_role("button", name="I need more time").click()
    expect(notice).to_be_hidden()
    assert Assignment.objects.get().deadline > before
    page.clock.run_for("08:05")
    expect(notice).to_be_visible()
