"""The page of a text in a real browser: what the pointer and the keys tell, displays, copying, room and barriers."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from materials.models import Text
from tests.conftest import PASSWORD
from tests.materials.actors import films, judge, predict_right, sha256
from tests.materials.heat import REVIEW, SCORES, explained

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def text(team: Team) -> Text:
    dataset = films(team, {"pos": 1})
    text = Text.objects.create(dataset=dataset, key="r", content=REVIEW, content_hash=sha256(REVIEW), label="pos")
    critic = judge(team, ["neg", "pos"])
    predict_right(dataset, critic)
    explained(text, critic, "lime", SCORES)
    explained(text, critic, "random", [1.0] * 9)
    first = dataset.texts.earliest("pk")
    explained(first, critic, "random", [1.0] * len(first.content.split()))
    return text


@pytest.fixture
def page(chromium: Browser, live_server: LiveServer, alice: User, text: Text) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=live_server.url,
        viewport=ViewportSize(width=1440, height=900),
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Home", exact=True).wait_for()
    page.goto(f"/datasets/films/texts/{text.pk}/")
    yield page
    context.close()


def test_pointing_at_a_word_tells_its_score_in_every_map(page: Page) -> None:
    page.locator(".heat").first.locator(".w", has_text="dull").hover()
    expect(page.locator(".heat-tip")).to_have_text("dull: −0.6, rank 6 of 6")
    expect(page.locator(".heat-readout").nth(1)).to_have_text("1, rank 6 of 7")
    page.keyboard.press("Escape")
    expect(page.locator(".heat-tip")).to_be_hidden()


def test_arrow_keys_walk_through_the_words(page: Page) -> None:
    page.get_by_role("button", name="Copy LaTeX of all maps").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".heat-tip")).to_have_text("A: +0.1, rank 4 of 6")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".heat-tip")).to_have_text("great: +0.9, rank 1 of 6")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".heat-tip")).to_have_text("ending: the model never saw it")


def test_the_display_changes_at_once_and_stays_for_the_next_text(page: Page) -> None:
    page.locator("label", has_text="Numbers").click()
    shown = page.locator(".w", has_text="great").first.evaluate("word => getComputedStyle(word, '::after').content")
    assert "+0.9" in shown and page.url.endswith("?display=numbers")
    page.get_by_role("link", name="Previous").click()
    expect(page.locator("#display-numbers")).to_be_checked()


def test_a_figure_is_copied(page: Page) -> None:
    page.get_by_role("button", name="Copy SVG of LIME").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("<svg")


def test_it_fits_a_phone_and_has_no_barriers(page: Page) -> None:
    for scheme, display in (("light", "colour"), ("dark", "colour"), ("dark", "bars"), ("light", "numbers")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.locator(f"label:has(#display-{display})").click()
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], (scheme, display)
    page.set_viewport_size(ViewportSize(width=360, height=740))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
