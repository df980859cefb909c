"""What runs a campaign, in a real browser: by keys alone, on a phone and on a desk, without barriers."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.models import Campaign
from judging.models import Judgment, Participation
from tests.conftest import PASSWORD
from tests.reports.campaigns import judged_campaign

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)
ADDRESS = "/campaigns/films-topk-guess/"
PAGES = ["/campaigns/", ADDRESS, f"{ADDRESS}live/", f"{ADDRESS}participants/", f"{ADDRESS}remove/"]
SOON = 20_000


@pytest.fixture
def campaign(team: Team) -> Campaign:
    campaign = judged_campaign(team)
    begun = timezone.now() - timedelta(minutes=9)
    campaign.participations.update(state="completed", arrived_at=begun, started_at=begun, finished_at=timezone.now())
    return campaign


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Page]:
    page = chromium.new_page(base_url=live_server.url, viewport=WIDE, color_scheme=request.param)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Campaigns", exact=True)).to_be_visible()
    yield page
    page.close()


def test_every_page_fits_a_phone_and_has_no_barriers(page: Page, campaign: Campaign) -> None:
    for address in PAGES:
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            page.goto(address)
            found = Axe().run(page).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], address
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], address


def press(page: Page, name: str, key: str = "Enter") -> None:
    """Tab to what bears the name, and press it."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent || document.activeElement.name || ''").strip() == name:
            page.keyboard.press(key)
            return
    raise AssertionError(f"The Tab key does not come to {name}.")


@pytest.mark.parametrize("page", ["light"], indirect=True)
def test_a_worker_is_excluded_and_readmitted_and_a_campaign_deleted_by_keys(page: Page, campaign: Campaign) -> None:
    worker = campaign.participations.filter(assignments__isnull=False).order_by("pk")[0]
    page.goto(f"{ADDRESS}participants/?q=w{worker.pk}")
    expect(page.get_by_role("heading", name="Pay")).to_be_visible(timeout=SOON)
    press(page, f"Exclude w{worker.pk}")
    press(page, "reason", "A")
    page.keyboard.type("t random")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Readmit w{worker.pk}")).to_be_visible(timeout=SOON)
    assert Participation.objects.get(pk=worker.pk).exclusion_reason == "At random"
    press(page, f"Readmit w{worker.pk}")
    expect(page.get_by_text("counts again")).to_be_visible(timeout=SOON)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    page.goto(f"{ADDRESS}remove/")
    button = page.get_by_role("button", name="Delete the campaign")
    expect(button).to_be_disabled()
    page.get_by_label(f"Type {campaign.name} to confirm").focus()
    page.keyboard.type(campaign.name)
    expect(button).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"The campaign {campaign.name} is deleted.")).to_be_visible(timeout=SOON)
    assert not Judgment.objects.exists() and not Campaign.objects.exists()


@pytest.mark.parametrize("page", ["light"], indirect=True)
def test_the_live_page_follows_while_it_is_seen_and_ends_with_the_campaign(page: Page, campaign: Campaign) -> None:
    page.goto(f"{ADDRESS}live/")
    assert not asks(page, hidden=True) and asks(page)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0, timeout=SOON)
    assert page.locator("#watch").get_attribute("hx-trigger") is None


def asks(page: Page, hidden: bool = False) -> bool:
    """Whether the page would ask for numbers now."""
    page.evaluate("hidden => Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })", hidden)
    return bool(
        page.evaluate(
            "document.getElementById('watch').dispatchEvent("
            "new CustomEvent('htmx:beforeRequest', { bubbles: true, cancelable: true }))"
        )
    )
