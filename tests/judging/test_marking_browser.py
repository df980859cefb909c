"""Marking words in a real browser: by mouse, by touch, by keys, and on a phone without a script."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from accounts.models import Team
from campaigns.models import Campaign
from judging.models import Judgment
from tests.campaigns.actors import live
from tests.judging.building import worker
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = ViewportSize(width=360, height=740)


@pytest.fixture
def campaign(team: Team) -> Campaign:
    settings = {"picks": "both"}
    return live(team, protocol="rationale_marking", methods=[], ks=[], protocol_settings=settings, sample_seed=1)


@pytest.fixture
def address(live_server: Any, campaign: Campaign) -> str:
    return f"{live_server.url}{page_of(worker(campaign))}"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=PHONE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def word(page: Page, number: int) -> Locator:
    return page.locator(".words label").nth(number)


def middle(page: Page, number: int) -> tuple[float, float]:
    box = word(page, number).locator("span").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def marked(page: Page) -> list[int]:
    found: list[int] = page.evaluate("[...document.querySelectorAll('.words :checked')].map((box) => +box.value)")
    return found


def draw(page: Page, *numbers: int) -> None:
    page.mouse.move(*middle(page, numbers[0]))
    page.mouse.down()
    for number in numbers[1:]:
        page.mouse.move(*middle(page, number), steps=4)
    page.mouse.up()


def test_it_works(page: Page) -> None:
    word(page, 1).click()
    draw(page, 3, 5)
    assert marked(page) == [1, 3, 4, 5]
    expect(page.get_by_text("4 words are marked.")).to_be_visible()
    page.get_by_label("Which of them matters most?").select_option("1")
    page.get_by_label("Which of them matters least?").select_option("4")
    page.get_by_role("button", name="Done: these words").click()
    expect(page.get_by_text("2 of 6")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "marked", "words": [1, 3, 4, 5], "most": 1, "least": 4}
    assert marked(page) == []
    expect(page.get_by_text("No word is marked yet.")).to_be_visible()


def test_drawing_back_takes_marks_away_and_one_drawn_stretch_can_be_erased(page: Page) -> None:
    draw(page, 2, 7, 4)
    assert marked(page) == [2, 3, 4]
    draw(page, 3, 4)
    assert marked(page) == [2]
    draw(page, 6, 8, 6)
    assert marked(page) == [2, 6]


def test_keys_move_mark_and_extend(page: Page) -> None:
    page.keyboard.press("Tab")
    for _ in range(8):
        if page.evaluate("document.activeElement.name") == "words":
            break
        page.keyboard.press("Tab")
    for key in ("Space", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    assert marked(page) == [0, 2, 3]
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Choose from the words")
    word(page, 0).locator("input").focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    assert marked(page) == [0, 2, 3, 29]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    below: int = page.evaluate("+document.activeElement.value")
    assert below > 1 and abs(middle(page, below)[0] - middle(page, 0)[0]) < 60
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "most"


def test_in_a_text_from_right_to_left_the_left_arrow_goes_on(page: Page) -> None:
    page.evaluate("document.querySelector('.words p').dir = 'rtl'")
    word(page, 0).locator("input").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    assert marked(page) == [1]


def test_after_practice_the_marks_stand_and_cannot_be_changed(page: Page, campaign: Campaign, live_server: Any) -> None:
    learner = worker(campaign, "walter", state="consented")
    page.goto(f"{live_server.url}{page_of(learner)}")
    page.get_by_role("button", name="Start the practice").click()
    word(page, 2).click()
    page.get_by_role("button", name="Done: these words").click()
    expect(page.get_by_text("You marked 1 word.")).to_be_visible()
    assert marked(page) == [2]
    word(page, 3).click(force=True)
    assert marked(page) == [2]
    expect(page.get_by_label("Which of them matters most?")).to_be_hidden()


def test_picks_are_asked_of_two_words_and_offer_only_marked_ones(page: Page) -> None:
    picks = page.get_by_label("Which of them matters most?")
    word(page, 1).click()
    expect(picks).to_be_hidden()
    word(page, 6).click()
    expect(picks).to_be_visible()
    assert picks.locator("option:enabled").count() == 3


def test_an_answer_without_marks_is_told_what_to_do(page: Page) -> None:
    page.get_by_role("button", name="Done: these words").click()
    expect(page.get_by_role("alert")).to_contain_text("Mark at least one word first")
    page.get_by_role("button", name="Nothing here justifies it").click()
    expect(page.get_by_text("2 of 6")).to_be_visible()
    assert Judgment.objects.get().answer["answer"] == "nothing"


def test_marks_stand_again_where_the_answer_was_refused(page: Page) -> None:
    draw(page, 1, 2)
    page.get_by_role("button", name="Nothing here justifies it").click()
    expect(page.get_by_role("alert")).to_contain_text("You have marked words")
    assert marked(page) == [1, 2]


def test_marks_survive_a_reload(page: Page) -> None:
    draw(page, 1, 3)
    page.reload()
    assert marked(page) == [1, 2, 3]


def test_a_finger_taps_words_and_still_scrolls(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(address)
    word(page, 2).tap()
    word(page, 4).tap()
    word(page, 2).tap()
    assert marked(page) == [4]
    assert word(page, 0).evaluate("(label) => getComputedStyle(label).touchAction") == "pan-y"
    context.close()


def test_it_works_without_a_script(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    word(page, 1).click()
    word(page, 2).click()
    page.get_by_label("Which of them matters most?").select_option("1")
    page.get_by_role("button", name="Done: these words").click()
    expect(page.get_by_role("alert")).to_contain_text("that you have marked")
    assert page.get_by_label("Which of them matters most?").input_value() == "1"
    page.get_by_label("Which of them matters least?").select_option("2")
    page.get_by_role("button", name="Done: these words").click()
    expect(page.get_by_text("2 of 6")).to_be_visible()
    assert Judgment.objects.get().answer == {"answer": "marked", "words": [1, 2], "most": 1, "least": 2}
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(chromium: Browser, address: str, scheme: Any) -> None:
    context = chromium.new_context(viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    word(page, 1).click()
    word(page, 3).click()
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(each["id"], node["html"]) for each in found for node in each["nodes"]] == []
