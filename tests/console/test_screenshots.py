"""A picture of every page, on a phone and on a desk, in light and in dark, in var/screenshots: to be looked at, and for
the docs. What no eye is needed for is checked on the way: every page fits, says nothing in the console, and has no
barrier that axe finds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.handlers.base import BaseHandler
from django.urls import resolve
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.launching import launch
from campaigns.models import Campaign
from reports.models import ReportBuild
from tests.barriers import ALL_RULES, AXE, OF_COLOUR, violations
from tests.conftest import PASSWORD
from tests.console.pages import (
    FAILURES,
    READY,
    Pages,
    confirmed,
    console_pages,
    entrance,
    everything,
    to_be_confirmed,
    to_be_pictured,
    two_step,
)
from tests.security.walking import plain

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FOLDER = Path(__file__).resolve().parents[2] / "var" / "screenshots"
WIDTHS = {1440: 900, 360: 740}
SCHEMES = ("light", "dark")
POST = """address => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address, innerHTML: '<input name="name" value="Second lab">' });
    document.body.append(form);
    form.submit();
}"""


@pytest.fixture
def campaign(team: Team, alice: User) -> Campaign:
    FOLDER.mkdir(parents=True, exist_ok=True)
    return everything(team, alice)


@pytest.fixture
def context(chromium: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    with chromium.new_context(base_url=live_server.url, reduced_motion="reduce") as context:
        context.add_init_script(AXE)
        yield context


def take(page: Page, name: str) -> list[str]:
    """Four pictures of the page as it stands; what is wrong with it."""
    faults = []
    for frame in page.locator("iframe").all():  # A frame is painted once it has been in sight.
        frame.scroll_into_view_if_needed()
    for width, height in WIDTHS.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            faults.append(f"{name} is {wide} pixels wide on a screen of {width}")
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=True, animations="disabled")
    return faults


def barriers(page: Page, name: str) -> Iterator[str]:
    """On the phone, as `take` leaves it: in the dark only what may come out otherwise there."""
    yield from (f"{name}, dark: {found}" for found in violations(page, OF_COLOUR))
    page.emulate_media(color_scheme="light")
    yield from (f"{name}: {found}" for found in violations(page, ALL_RULES))


def heard(page: Page, faults: list[str]) -> None:
    page.on("console", lambda message: faults.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))


def go_through(page: Page, pages: Pages, pictured: set[str]) -> list[str]:
    faults: list[str] = []
    for name, address in pages:
        response = page.goto(address, wait_until="load")
        if response is None or response.status != 200:
            faults.append(f"{address} is answered with {response and response.status}")
        pictured.add(plain(resolve(urlsplit(page.url).path).route))
        faults += [*take(page, name), *barriers(page, name)]
    return faults


def sign_in(page: Page) -> None:
    page.goto("/sign-in/?next=/settings/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/settings/")


@pytest.mark.long
def test_every_page_of_the_console_fits_and_is_quiet_and_has_no_barriers(
    context: BrowserContext, campaign: Campaign, team: Team, alice: User
) -> None:
    ReportBuild.objects.create(campaign=campaign, key="k", state="failed", error="No room.", created_at=timezone.now())
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    page, faults, pictured = context.new_page(), list[str](), set[str]()
    heard(page, faults)
    faults += go_through(page, entrance(team, alice), pictured)
    sign_in(page)
    faults += go_through(page, [*console_pages(campaign, team), *to_be_confirmed()], pictured)
    page.goto("/settings/confirm/?next=/settings/")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/settings/")
    faults += go_through(page, confirmed(), pictured)
    TOTP.activate(alice, generate_totp_secret())
    RecoveryCodes.activate(alice)
    faults += go_through(page, two_step(), pictured)
    assert to_be_pictured() - pictured == set(), "say in tests/console/pages.py where these are"
    assert not faults, "\n".join(faults)


def test_every_page_of_a_worker_fits_and_is_quiet(
    chromium: Browser, live_server: LiveServer, campaign: Campaign
) -> None:
    rated = Campaign.objects.get(name=READY)
    launch(rated)
    faults: list[str] = []
    for study in (campaign, rated):
        with chromium.new_context(base_url=live_server.url) as context:
            page = context.new_page()
            heard(page, faults)
            page.goto(f"/w/{study.slug}/?PROLIFIC_PID=wanda")
            faults += take(page, f"worker_{study.protocol}_consent")
            page.get_by_role("button", name="I agree").click()
            faults += take(page, f"worker_{study.protocol}_instructions")
            page.get_by_role("button", name="Start the practice").click()
            page.locator(".item").wait_for()
            faults += take(page, f"worker_{study.protocol}_item")
    assert not faults, "\n".join(faults)


def test_every_page_that_tells_of_a_failure_fits_and_has_no_barriers(
    context: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a form posted is answered with, and then what a page is."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    for name, (address, status, error) in FAILURES.items():
        page.goto("/sign-in/")
        monkeypatch.setattr(BaseHandler, "resolve_request", failing_with(error))
        with page.expect_response(f"**{address}") as posted:
            page.evaluate(POST, address)
        page.wait_for_load_state()
        assert posted.value.status == status, name
        faults += [*take(page, f"failure_{name}_sent"), *barriers(page, f"{name}, sent")]
        answer = page.goto(address)
        assert answer and answer.status == status, name
        faults += [*take(page, f"failure_{name}"), *barriers(page, name)]
        monkeypatch.undo()
    assert not faults, "\n".join(faults)


def failing_with(error: Exception) -> Callable[..., Any]:
    def fail(*_: object) -> None:
        raise error

    return fail
