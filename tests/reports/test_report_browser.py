"""The report, filtered and compared, and the live page in a real Chromium: accessible, quiet, fitting a phone."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
]
DRAWN = "[data-chart] > div > div svg"
POINT = "[data-chart='spec-explanations'] [tabindex='0']"


def cookie(client: Client, server: LiveServer) -> dict[str, Any]:
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server.url}


def listened(page: Page) -> list[str]:
    """What the page says in the console and throws, from now on."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


@pytest.mark.parametrize("protocol", ["topk_guess", "rating"])
@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
@pytest.mark.long
def test_it_works(
    chromium: Browser, live_server: LiveServer, team: Team, alice: User, screen: dict[str, Any], protocol: str
) -> None:
    campaign = judged_campaign(team, protocol=protocol)
    with chromium.new_context(base_url=live_server.url, **screen) as context:
        context.add_cookies([cookie(signed_in(alice), live_server)])  # type: ignore[list-item]
        page = context.new_page()
        said = listened(page)
        at = f"/campaigns/{campaign.slug}"
        for name in (
            f"{at}/live/",
            f"{at}/report/",
            f"{at}/report/?label=pos",
            f"/campaigns/compare/?a={campaign.slug}",
        ):
            page.goto(name)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert page.evaluate("document.documentElement.scrollWidth") <= screen["viewport"]["width"]
        assert said == []


@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
def test_charts_answer_to_keys_and_pointer_and_ask_nobody_else(
    chromium: Browser, live_server: LiveServer, team: Team, alice: User, screen: dict[str, Any]
) -> None:
    campaign = judged_campaign(team)
    with chromium.new_context(base_url=live_server.url, **screen) as context:
        context.add_cookies([cookie(signed_in(alice), live_server)])  # type: ignore[list-item]
        page = context.new_page()
        said = listened(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"/campaigns/{campaign.slug}/report/")
        page.locator("[data-chart='spec-explanations']").scroll_into_view_if_needed()
        page.locator(f"{POINT} >> visible=true").focus(timeout=60_000)
        tip = page.locator(".chart-tip")
        assert "Text 000" in tip.inner_text()
        page.keyboard.press("End")
        tip.filter(has_text="'tis fine").wait_for()
        assert Axe().run(page).violations_count == 0
        page.keyboard.press("Escape")
        assert tip.is_hidden()
        page.locator(f"{POINT} >> visible=true").hover()
        tip.filter(has_text="Text 003").wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**/judgments/?text=003")
        assert said == [] and all(url.startswith(live_server.url) for url in asked)


def test_without_scripts_the_drawings_of_the_server_stay(
    chromium: Browser, live_server: LiveServer, team: Team, alice: User
) -> None:
    campaign = judged_campaign(team)
    with chromium.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        context.add_cookies([cookie(signed_in(alice), live_server)])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(f"/campaigns/{campaign.slug}/report/")
        assert page.locator(".chart-wide > svg").count() == page.locator("figure.chart").count() > 2
        assert page.locator(DRAWN).count() == 0
        page.emulate_media(media="print")
        assert page.locator("nav.toc").is_hidden() and page.locator("#part-methods").is_visible()


def test_drawings_of_browser_and_server_come_of_one_specification(team: Team, alice: User) -> None:
    page = signed_in(alice).get(f"/campaigns/{judged_campaign(team).slug}/report/").content.decode()
    spec = json.loads(page.split('<script id="spec-scores" type="application/json">')[1].split("</script>")[0])
    assert set(spec) == {"wide", "narrow"} and spec["wide"]["$schema"].endswith("vega-lite/v6.json")
