"""Signed out while a form is filled in: in again, back on the page, and nothing typed is lost."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from materials.models import Classifier
from tests.conftest import PASSWORD
from tests.materials.actors import judge

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_was_typed_is_there_after_signing_in_again(
    chromium: Browser, live_server: LiveServer, alice: User, team: Team
) -> None:
    judge(team, ["neg", "pos"])
    with chromium.new_context(base_url=live_server.url) as context:
        page = context.new_page()

        def sign_in() -> None:
            page.get_by_label("Username").fill("alice")
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()

        page.goto("/classifiers/critic/")
        sign_in()
        page.get_by_label("Output 1").fill("positive")
        context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Rename").click()
        sign_in()
        page.wait_for_url("**/classifiers/critic/")
        expect(page.get_by_label("Output 1")).to_have_value("positive")
        expect(page.get_by_text("What you typed is filled in again")).to_be_visible()
        page.get_by_role("button", name="Rename").dblclick()
        expect(page.get_by_label("Output 1")).to_have_value("positive")
        expect(page.get_by_text("What you typed is filled in again")).to_be_hidden()
        assert Classifier.objects.get().label_names == ["neg", "positive"]
