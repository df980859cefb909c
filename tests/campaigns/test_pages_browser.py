"""The researcher's pages in a real browser: what htmx adds, room on a phone, and no barrier that axe finds."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.models import Campaign
from tests.campaigns.actors import carry_out_launch, draft, live, preparing, ready, work
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)
START = "/campaigns/new/?protocol=topk_guess&dataset=films&classifier=critic"
PAGES = [
    "/campaigns/",
    "/campaigns/which-words-matter/",
    "/campaigns/which-words-matter/preview/",
    START,
    "/campaigns/new/",
    "/datasets/",
    "/datasets/films/",
    "/datasets/films/maps/",
    "/datasets/import/",
    "/classifiers/",
    "/classifiers/critic/",
    "/classifiers/new/",
]


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Page]:
    page = chromium.new_page(base_url=live_server.url, viewport=WIDE, color_scheme=request.param)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Home", exact=True).wait_for()
    yield page
    page.close()


def test_the_estimate_follows_what_is_typed(page: Page, team: Team) -> None:
    draft(team, texts=20)
    page.goto(START)
    estimate = page.get_by_label("What it takes")
    expect(estimate).to_contain_text("800")
    page.get_by_label("Words shown (k)").fill("3")
    expect(estimate).to_contain_text("160")
    page.get_by_role("checkbox", name="LIME", exact=True).uncheck()
    expect(estimate).to_contain_text("140")


def test_a_double_click_makes_one_draft(page: Page, team: Team) -> None:
    original = draft(team, texts=20)
    page.goto(START)
    page.get_by_label("Name of the campaign").fill("Clicked twice")
    page.get_by_label("Completion code").fill("C0DE")
    page.get_by_role("button", name="Make the draft").dblclick()
    page.wait_for_url("**/campaigns/clicked-twice*/")
    assert list(Campaign.objects.exclude(pk=original.pk).values_list("slug", flat=True)) == ["clicked-twice"]


def test_the_page_follows_preparing(page: Page, team: Team) -> None:
    campaign = preparing(team)
    page.goto(campaign.get_absolute_url())
    expect(page.get_by_text("0 of 8 texts")).to_be_visible()
    work(campaign)
    expect(page.get_by_role("button", name="Launch")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Launch").click()
    expect(page.get_by_role("heading", name="Being launched")).to_be_visible()
    carry_out_launch(campaign)
    expect(page.get_by_role("heading", name="Workers come by this link")).to_be_visible(timeout=15_000)


def test_every_page_fits_a_phone_and_has_no_barriers(page: Page, team: Team) -> None:
    ready(team)
    for address in PAGES:
        page.set_viewport_size(WIDE)
        page.goto(address)
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], address
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


def test_a_live_campaign_fits_a_phone(page: Page, team: Team) -> None:
    page.set_viewport_size(PHONE)
    page.goto(live(team, worker_parameter="PROLIFIC_PID").get_absolute_url())
    page.get_by_text("The link for Prolific").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
