"""What axe finds on the worker's pages, in every state and for every protocol: nothing, on any screen.

The server's own pages are loaded once each into one browser, with their own stylesheet and scripts. On the phone all
rules run; on the wider screens and in the dark those that may come out otherwise there.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, Route, ViewportSize

from accounts.models import Team
from tests.barriers import ALL_RULES, AXE, OF_COLOUR, OF_WIDTH, violations
from tests.judging.states import Pages, all_states

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (360, 768, 1440)
LEAST_TARGET = 44
# Buttons and such that are too small for a finger. Links and words within a text are exempt.
SMALL = """least => [...document.querySelectorAll("button, summary, select, input:not([type=hidden]), .leave-link")]
    .filter((node) => !node.closest("[hidden], .words"))
    .map((node) => [node, (node.closest("label") ?? node).getBoundingClientRect()])
    .filter(([node, box]) => box.height && (box.height < least || box.width < least))
    .map(([node, box]) => `${node.outerHTML.slice(0, 80)} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


@pytest.fixture
def states(team: Team, client: Client) -> Pages:
    return all_states(team, client)


@pytest.fixture
def page(chromium: Browser, live_server: Any, states: Pages) -> Iterator[Page]:
    """Serves the states under /state/<number>."""
    context = chromium.new_context(has_touch=True, reduced_motion="reduce")
    context.add_init_script(AXE)
    page, sources = context.new_page(), list(states.values())

    def serve(route: Route) -> None:
        number = int(route.request.url.rsplit("/", 1)[1])
        route.fulfill(body=sources[number], content_type="text/html; charset=utf-8")

    page.route(f"{live_server.url}/state/*", serve)
    yield page
    context.close()


def faults(page: Page) -> Iterator[str]:
    for width in WIDTHS:
        page.set_viewport_size(ViewportSize(width=width, height=740))
        page.emulate_media(color_scheme="light")
        yield from violations(page, ALL_RULES if width == WIDTHS[0] else OF_WIDTH)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            yield f"sticks out at {width}"
        if width == WIDTHS[0]:
            page.emulate_media(color_scheme="dark")
            yield from (f"dark {found}" for found in violations(page, OF_COLOUR))
            yield from (f"too small: {found}" for found in page.evaluate(SMALL, LEAST_TARGET))


@pytest.mark.long
def test_it_works(page: Page, live_server: Any, states: Pages) -> None:
    found = {}
    for number, name in enumerate(states):
        page.goto(f"{live_server.url}/state/{number}")
        found[name] = list(faults(page))
    assert len(found) > 60
    assert not any(found.values()), "\n".join(f"{name}: {fault}" for name, all in found.items() for fault in all)
