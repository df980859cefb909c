"""The report and the live page in a real Chromium: accessible, quiet in the console, and fitting a phone."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
]


def cookie(client: Client, server: LiveServer) -> dict[str, Any]:
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server.url}


@pytest.mark.parametrize("protocol", ["topk_guess", "rating"])
@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
def test_it_works(
    chromium: Browser, live_server: LiveServer, team: Team, alice: User, screen: dict[str, Any], protocol: str
) -> None:
    campaign = judged_campaign(team, protocol=protocol)
    with chromium.new_context(base_url=live_server.url, **screen) as context:
        context.add_cookies([cookie(signed_in(alice), live_server)])  # type: ignore[list-item]
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        for name in ("live", "report"):
            page.goto(f"/campaigns/{campaign.slug}/{name}/")
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert page.evaluate("document.documentElement.scrollWidth") <= screen["viewport"]["width"]
        assert said == []
