"""The pages of an imported campaign in a real Chromium: accessible, fitting a phone and a desk."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from judging.models import Judgment
from tests.conftest import signed_in
from tests.reports.test_import_judgments import LABELS, import_file, write

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")], ids=["phone", "desk"])
def test_they_are_accessible_and_fit(
    chromium: Browser, live_server: LiveServer, team: Team, alice: User, tmp_path: Path, width: int, scheme: Any
) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    number = Judgment.objects.values_list("pk", flat=True)[0]
    session = signed_in(alice).cookies["sessionid"].value
    screen = {"width": width, "height": 800}
    with chromium.new_context(base_url=live_server.url, viewport=screen, color_scheme=scheme) as context:  # type: ignore[arg-type]
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        for name in ("", "live/", "participants/", f"judgments/{number}/"):
            page.goto(f"/campaigns/{campaign.slug}/{name}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert Axe().run(page).response["violations"] == []
