"""The recruitment page in a real browser: room on a phone, no barrier that axe finds, and the file of invitations."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.models import Campaign
from judging import recruiting
from judging.inviting import add_code, invite
from judging.models import Participation
from recruitment.outcomes import new_exits
from tests.conftest import PASSWORD
from tests.judging.building import live_campaign
from tests.recruitment.prolific_server import TOKEN, play_prolific

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = {"wide": ViewportSize(width=1440, height=900), "phone": ViewportSize(width=360, height=740)}


@pytest.fixture
def campaigns(team: Team, settings: object) -> Iterator[list[str]]:
    """One of each kind that has something to show."""
    with play_prolific() as played:
        settings.PROLIFIC_API_URL, settings.PROLIFIC_API_TOKEN = played.url, TOKEN  # type: ignore[attr-defined]
        played.add_study("66b0c0ffee12ab34")
        played.add_submission("66c0ffee00aa", "pid", "AWAITING REVIEW", study="66b0c0ffee12ab34")
        prolific = live_campaign(team, slug="prolific", recruitment="prolific", exits=new_exits())
        recruiting.link_study(prolific, "66b0c0ffee12ab34")
        recruiting.read(prolific)
        prolific.bonus_payments.create(reference="b", amounts={"x": "1.00"}, total_cents=133)
        invite(live_campaign(team, slug="invited", recruitment="invitation"), 2)
        add_code(live_campaign(team, slug="class", recruitment="class_code"), 30)
        live_campaign(team, slug="panel", recruitment="panel", worker_parameter="rid")
        yield list(Campaign.objects.values_list("slug", flat=True))


@pytest.fixture
def page(chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Page]:
    page = chromium.new_page(base_url=live_server.url)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Home", exact=True).wait_for()
    yield page
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_sticks_out(page: Page, campaigns: list[str], scheme: str) -> None:
    page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
    found = []
    for slug in campaigns:
        page.goto(f"/campaigns/{slug}/recruitment/")
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((slug, name, "too wide"))
            found += [(slug, name, one["id"]) for one in Axe().run(page).response["violations"]]
    assert found == []


def test_invitations_are_downloaded_and_their_links_work(page: Page, team: Team) -> None:
    campaign = live_campaign(team, recruitment="invitation")
    page.goto("/campaigns/films/recruitment/")
    page.get_by_label("How many").fill("2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Make and download").click()
    links = [line.split(",")[1] for line in download.value.path().read_text().splitlines()[1:]]
    for _ in range(2):
        page.goto(links[0])
        assert page.get_by_role("button", name="I agree, go on").is_visible()
    assert Participation.objects.filter(campaign=campaign).count() == 1


def test_a_code_is_typed_by_a_worker(page: Page, team: Team) -> None:
    code = add_code(live_campaign(team, recruitment="class_code"), 1).code
    page.goto("/w/films/")
    page.get_by_label("Code").fill(f"{code[:4]}-{code[4:].lower()}")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I agree, go on").wait_for()
    assert Participation.objects.count() == 1
