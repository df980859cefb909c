"""What axe finds on the worker's pages: nothing, in light and in dark."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from accounts.models import Team
from judging.leaving import complete, withdraw
from judging.models import Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_works(chromium: Browser, live_server: Any, team: Team, scheme: Any) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport=ViewportSize(width=360, height=740))
    page = context.new_page()
    found = {}
    for address in every_page(team):
        page.goto(f"{live_server.url}{address}")
        found[page.title()] = violations(page)
    context.close()
    assert len(found) >= 7
    assert not any(found.values()), found


def every_page(team: Team) -> list[str]:
    guess, rate = live_campaign(team), live_campaign(team, slug="rate", protocol="rating", methods=("lime",))
    paused = live_campaign(team, slug="paused", state="paused")
    arrived = worker(guess, "arrived", state=Participation.State.ARRIVED)
    consented = worker(guess, "consented", state=Participation.State.CONSENTED)
    judging, rating = worker(guess, "judging"), worker(rate, "rating", quota=39)
    finished, gone = worker(guess, "finished"), worker(guess, "gone")
    complete(finished)
    withdraw(gone)
    people = (arrived, consented, judging, rating, finished, gone)
    return [
        *(page_of(participation) for participation in people),
        page_of(judging, "worker_leave"),
        f"/w/{paused.slug}/",
        f"/w/{guess.slug}/no-such-token/",
    ]
