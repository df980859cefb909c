"""What is clicked in a tab that is behind another: it is done once, or the page says what happened."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Removal
from tests.campaigns.actors import draft
from tests.conftest import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return draft(team)


@pytest.fixture
def context(chromium: Browser, live_server: LiveServer, alice: User, campaign: Campaign) -> Iterator[BrowserContext]:
    session = signed_in(alice).cookies["sessionid"].value
    with chromium.new_context(base_url=live_server.url) as context:
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        yield context


def two_tabs(context: BrowserContext, address: str) -> tuple[Page, Page]:
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(address)
    return first, second


def test_a_tab_that_is_behind_exchanges_no_labels(context: BrowserContext, campaign: Campaign) -> None:
    """Sorted anew, its fields would belong to others."""
    first, second = two_tabs(context, "/datasets/films/settings/")
    first.get_by_label("neg", exact=True).fill("zero")
    first.get_by_role("button", name="Rename").dblclick()
    expect(first.get_by_text("The labels have new names.")).to_be_visible()
    second.get_by_label("neg", exact=True).fill("negative")
    second.get_by_role("button", name="Rename").click()
    expect(second.get_by_text("Its labels have changed since this page was opened")).to_be_visible()
    assert campaign.dataset.label_names() == ["pos", "zero"]
    assert not campaign.dataset.texts.filter(label="pos", key__startswith="neg").exists()


def test_a_tab_that_is_behind_takes_no_names_of_outputs_back(context: BrowserContext, campaign: Campaign) -> None:
    first, second = two_tabs(context, "/classifiers/critic/")
    first.get_by_label("Output 0").fill("negative")
    first.get_by_role("button", name="Rename").dblclick()
    expect(first.get_by_text("The labels have new names.")).to_be_visible()
    second.get_by_label("Output 1").fill("positive")
    second.get_by_role("button", name="Rename").click()
    expect(second.get_by_text("Somebody else has just renamed them")).to_be_visible()
    campaign.classifier.refresh_from_db()
    assert campaign.classifier.label_names == ["negative", "pos"]


def test_what_is_deleted_in_two_tabs_goes_once(context: BrowserContext, campaign: Campaign) -> None:
    for page in (pages := two_tabs(context, f"/campaigns/{campaign.slug}/remove/")):
        page.get_by_label(f"Type {campaign.name} to confirm").fill(campaign.name)
    pages[0].get_by_role("button", name="Delete the campaign").dblclick()
    expect(pages[0].get_by_text(f"The campaign {campaign.name} is deleted.")).to_be_visible()
    pages[1].get_by_role("button", name="Delete the campaign").click()
    expect(pages[1].get_by_text("There is nothing here")).to_be_visible()
    assert Removal.objects.count() == 1 and not Campaign.objects.exists()
