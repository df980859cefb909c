"""Pages that ask for more than one press of a button, in a real browser: keys, sliders, steps, both sides of a pair."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import Team
from judging.models import Judgment
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE, DESK = ViewportSize(width=360, height=740), ViewportSize(width=1440, height=900)
SEVERAL = {"beside": ["useful"], "own": [["How fluent?", "Stilted", "Fluent"]]}
SHOWN = [
    ("topk_guess", "colour", {"mask": "widths"}),
    ("reveal", "colour", {"first": 2}),
    ("rating", "bars", SEVERAL),
    ("rating", "corrected", {"scale": "slider"}),
    ("pairwise", "colour", {}),
    ("word_importance", "bars", {}),
]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    yield page
    context.close()


def address_of(live_server: Any, team: Team, protocol: str, slug: str = "films", **fields: Any) -> str:
    campaign = live_campaign(team, protocol=protocol, slug=slug, texts=2, practice=0, ks=(3,), **fields)
    return f"{live_server.url}{page_of(worker(campaign))}"


def test_numbers_answer_one_question_after_the_other_and_enter_sends(page: Page, live_server: Any, team: Team) -> None:
    page.goto(address_of(live_server, team, "rating", protocol_settings=SEVERAL))
    for key in ("4", "2", "5"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": 4, "useful": 2, "own_1": 5}


def test_an_open_question_keeps_the_form_from_being_sent(page: Page, live_server: Any, team: Team) -> None:
    page.goto(address_of(live_server, team, "rating", protocol_settings=SEVERAL))
    page.keyboard.press("4")
    page.get_by_role("button", name="Send").click()
    page.wait_for_timeout(200)
    expect(page.get_by_text("1 of")).to_be_visible()
    assert not Judgment.objects.exists()


def test_a_slider_writes_its_number_and_an_untouched_one_none(page: Page, live_server: Any, team: Team) -> None:
    page.goto(address_of(live_server, team, "rating", protocol_settings={"scale": "slider"}))
    expect(page.locator("input[type=number]")).to_have_value("")
    page.get_by_role("slider").press("ArrowRight")
    expect(page.locator("input[type=number]")).to_have_value("51")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("2 of")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": 51}
    expect(page.get_by_role("slider")).to_be_visible()  # The next text came without a page load.


def test_without_script_a_number_is_typed(chromium: Browser, live_server: Any, team: Team) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address_of(live_server, team, "rating", protocol_settings={"scale": "slider"}))
    expect(page.get_by_role("slider")).to_have_count(0)
    page.locator("input[type=number]").fill("70")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("2 of")).to_be_visible()
    context.close()
    assert Judgment.objects.get().answer == {"answer": 70}


def test_the_space_bar_uncovers_a_word_and_no_unseen_word_is_in_the_page(
    page: Page, live_server: Any, team: Team
) -> None:
    page.goto(address_of(live_server, team, "reveal", methods=("gradient",)))
    words = {"Film", "number0", "number1", "was", "great", "story", "one", "dull", "scene"}
    for count in (1, 2, 3):
        expect(page.locator(".shown")).to_have_count(count)
        seen = set(page.locator(".shown").all_inner_texts())
        assert not any(f"{word}<" in page.content() for word in words - seen)
        page.keyboard.press(" ")
    expect(page.locator(".shown")).to_have_count(4)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "positive", "step": 3}


def test_the_clock_runs_on_while_words_are_uncovered_and_the_new_word_is_read_out(
    page: Page, live_server: Any, team: Team
) -> None:
    page.goto(address_of(live_server, team, "reveal", methods=("gradient",)))
    page.wait_for_timeout(700)
    page.keyboard.press(" ")
    expect(page.get_by_text("You see 2 words. New:")).to_be_focused()
    page.keyboard.press("1")
    sent_at = page.evaluate("performance.now()")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of")).to_be_visible()
    first = Judgment.objects.get()
    assert first.response_ms is not None and first.response_ms > 700
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of")).not_to_be_visible()
    second = Judgment.objects.exclude(pk=first.pk).get()
    assert second.response_ms is not None and second.response_ms < page.evaluate("performance.now()") - sent_at


def test_pairs_stand_side_by_side_or_one_above_the_other(page: Page, live_server: Any, team: Team) -> None:
    page.goto(address_of(live_server, team, "pairwise"))
    first, second = (panel.bounding_box() for panel in page.locator(".pair > section").all())
    assert first and second and first["x"] == second["x"] and first["y"] < second["y"]
    page.set_viewport_size(DESK)
    first, second = (panel.bounding_box() for panel in page.locator(".pair > section").all())
    assert first and second and first["x"] < second["x"] and first["y"] == second["y"]
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of")).to_be_visible()
    judgment = Judgment.objects.get()
    assert judgment.presentation["left"] == judgment.answer["answer"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_sticks_out(chromium: Browser, live_server: Any, team: Team, scheme: Any) -> None:
    context = chromium.new_context(viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    for number, (protocol, display, settings) in enumerate(SHOWN):
        more = {"displays": [display], "protocol_settings": settings}
        page.goto(address_of(live_server, team, protocol, slug=f"films-{number}", **more))
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    context.close()
