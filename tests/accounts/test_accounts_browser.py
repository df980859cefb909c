"""The pages of accounts and teams in a real browser: no barrier that axe finds, room on a phone, keyboard alone."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from accounts.auditing import Act, record
from accounts.inviting import invite
from accounts.leaving import found
from accounts.models import Membership, Team, User
from tests.accounts.conftest import Coder
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)
ENTRANCE = ["sign-in", "forgotten", "forgotten/sent", "forgotten/done", "forgotten/1-guessed", "join"]
OWN = ["", "email/", "password/", "two-step/", "sessions/", "tokens/"]


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser, live_server: LiveServer) -> Iterator[Page]:
    page = chromium.new_page(base_url=live_server.url, viewport=WIDE, color_scheme=request.param)
    yield page
    page.close()


def sign_in(page: Page, then: str = "/settings/") -> None:
    page.goto(f"/sign-in/?next={then}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{then}")


def look(page: Page) -> None:
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], page.url
    page.set_viewport_size(WIDE)
    violations = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == [], page.url


def test_the_entrance_has_no_barriers(page: Page, alice: User) -> None:
    for address in ENTRANCE:
        page.goto(f"/{address}/")
        look(page)


def test_the_settings_have_no_barriers(page: Page, alice: User, team: Team) -> None:
    found(alice, "Second lab")
    sign_in(page)
    for address in [*(f"settings/{one}" for one in OWN), "teams/"]:
        page.goto(f"/{address}")
        look(page)
    page.goto("/settings/tokens/new/")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    look(page)
    page.get_by_label("What it is for").fill("Nightly export")
    page.get_by_role("button", name="Make it").click()
    expect(page.locator("#token")).to_contain_text("pkw_")
    look(page)


def test_a_team_and_its_log_have_no_barriers(page: Page, alice: User, eve: User, bob: User, team: Team) -> None:
    User.objects.filter(pk=bob.pk).update(first_name="Roberta", last_name="Anastasopoulou-Featherstonehaugh")
    record(eve, team, Act.EXCLUDED, "Which words matter", worker="w12", reason="answered in 0.3 s a text")
    record(None, team, Act.CLOSED, "Which words matter, once more and with a name that is rather long")
    invite(team, alice, Membership.Role.ANALYST, "dora.with.a.long.address@department.university.example")
    sign_in(page, f"/teams/{team.pk}/")
    page.get_by_label("E-mail address").fill("new@example.org")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("It is shown here only")).to_be_visible()
    look(page)
    page.goto(f"/teams/{team.pk}/log/?act=closed")
    expect(page.get_by_role("heading", name="1 act")).to_be_visible()
    page.goto(f"/teams/{team.pk}/log/")
    look(page)


def test_an_invited_person_comes_in_by_keyboard(page: Page, alice: User, team: Team) -> None:
    _, token = invite(team, alice, Membership.Role.EDITOR)
    page.goto(f"/invitations/{token}/")
    look(page)
    page.get_by_label("Username").focus()
    for typed in ("dora", "dora@example.org", PASSWORD):
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Saliency lab")).to_be_visible()
    assert Membership.objects.get(user__username="dora").role == Membership.Role.EDITOR


def test_the_second_step_is_turned_on_and_asked_for(page: Page, alice: User, code_of: Coder) -> None:
    sign_in(page)
    page.goto("/settings/two-step/on/")
    look(page)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    key = page.locator("#totp-key").inner_text()
    assert page.locator("img.qr").evaluate("image => image.naturalWidth") > 0
    look(page)
    page.get_by_label("Code that it shows").fill(code_of(key))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="10 of 10 are left")).to_be_visible()
    look(page)
    for address in ("two-step", "two-step/codes/new", "two-step/off"):
        page.goto(f"/settings/{address}/")
        look(page)
    page.context.clear_cookies()
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/sign-in/code/")
    look(page)
    page.get_by_label("Code").fill(code_of(key, later=1))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/(campaigns/)?$"))
