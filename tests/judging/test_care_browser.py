"""Everything that workers are asked besides the items: within a phone, and no barrier that axe finds."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from judging.erasing import erase
from judging.leaving import complete
from judging.models import CheckAnswer, Participation
from tests.judging.building import live_campaign, worker
from tests.judging.test_warning_page import warned_campaign
from tests.judging.walking import page_of, press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
State = Participation.State
QUESTIONS = read_questions("How old are you? [number]\nWhat do you speak? [text, optional]\nDo you read?\n- Yes\n- No")
CHECKS = read_tests("To show that you are reading, choose “negative” here.\n- positive\n+ negative")


def every_page(team: Team, client: Client) -> list[str]:
    full = live_campaign(
        team, demographics=QUESTIONS, content_warning="Some texts are hateful.", debrief="We compared methods."
    )
    checked = live_campaign(team, slug="checked", checks=CHECKS, texts=2)
    arrived = worker(full, "arrived", state=State.ARRIVED)
    consented = worker(full, "consented", state=State.CONSENTED)
    at_check = worker(checked, "at check", quota=2)
    press(client, client.get(page_of(at_check)), answer="positive")
    warned = worker(warned_campaign(team, slug="warned"), "warned")
    done, erased = worker(full, "done"), worker(full, "erased")
    out = worker(full, "out", state=State.SCREENED_OUT)
    complete(done)
    erase(erased)
    people = (arrived, consented, at_check, warned, done, erased, out)
    return [*map(page_of, people), page_of(at_check, "worker_leave"), page_of(done, "worker_leave")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_works(chromium: Browser, live_server: Any, team: Team, client: Client, scheme: Any) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport=ViewportSize(width=360, height=740))
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for address in every_page(team, client):
        page.goto(f"{live_server.url}{address}")
        assert page.evaluate("document.documentElement.scrollWidth") == 360, page.title()
        found[f"{len(found)}: {page.title()}"] = [
            f"{each['id']}: {node['html']}" for each in Axe().run(page).response["violations"] for node in each["nodes"]
        ]
    context.close()
    assert len(found) == 9
    assert not any(found.values()), found


def test_a_check_is_answered_with_the_keyboard(chromium: Browser, live_server: Any, team: Team) -> None:
    wanda = worker(live_campaign(team, checks=CHECKS, texts=2), quota=2)
    page: Page = chromium.new_page()
    page.goto(f"{live_server.url}{page_of(wanda)}")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("To show that you are reading")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 2")).to_be_visible()
    expect(page.get_by_text("To show that you are reading")).not_to_be_visible()
    assert CheckAnswer.objects.get().right
    page.close()
