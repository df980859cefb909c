import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign, SampledText
from materials.models import Text
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


def url(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/live/"


def test_it_works(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "48 of 48" in page
    assert "Integrated gradients" in page and "10 words" in page
    assert "Pause" in page and "for good" in page


def test_one_word_is_no_plural_and_thousands_are_set_apart(campaign: Campaign, alice: User) -> None:
    campaign.conditions.filter(k=5).update(k=1)
    texts = [Text(dataset=campaign.dataset, key=f"more {n}", content="more", content_hash=f"m{n}") for n in range(396)]
    campaign.sample.bulk_create(
        SampledText(campaign=campaign, text=text, role=SampledText.Role.ITEM, position=4, expected="pos")
        for text in Text.objects.bulk_create(texts)
    )
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "1 word<" in page and "1 words" not in page
    assert "48 of 4,800, 1 %" in page and '12<span class="muted"> / 1,200</span>' in page


def test_it_refreshes_while_live(campaign: Campaign, alice: User) -> None:
    assert "every 5s" in signed_in(alice).get(url(campaign)).content.decode()
    Campaign.objects.update(state=Campaign.State.CLOSED)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "every 5s" not in page and "Pause" not in page and "for good" not in page


def test_what_is_asked_again_is_the_numbers_alone_until_the_state_changes(campaign: Campaign, alice: User) -> None:
    client, htmx = signed_in(alice), {"HX-Request": "true"}
    part = client.get(url(campaign) + "?seen=live", headers=htmx).content.decode()
    assert "48 of 48" in part and "<html" not in part and "?seen=live" in part
    Campaign.objects.update(state=Campaign.State.PAUSED)
    assert client.get(url(campaign) + "?seen=live", headers=htmx).headers["HX-Refresh"] == "true"
    assert "every 5s" in client.get(url(campaign) + "?seen=paused", headers=htmx).content.decode()


@pytest.mark.parametrize(
    ("state", "actions"),
    [("live", ["pause", "close"]), ("paused", ["resume", "close"]), ("closed", [])],
)
def test_its_buttons_do_what_the_state_allows(campaign: Campaign, alice: User, state: str, actions: list[str]) -> None:
    Campaign.objects.update(state=state)
    page = signed_in(alice).get(url(campaign)).content.decode()
    offered = [
        name for name in ("pause", "resume", "close") if reverse("campaign_action", args=[campaign.slug, name]) in page
    ]
    assert offered == actions


def test_it_is_for_reading_only(campaign: Campaign, alice: User) -> None:
    assert signed_in(alice).post(url(campaign)).status_code == 405


def test_it_asks_strangers_to_sign_in(campaign: Campaign) -> None:
    assert Client().get(url(campaign))["Location"].startswith(reverse("login"))


def test_it_hides_campaigns_of_other_teams(campaign: Campaign, charlie: User) -> None:
    assert signed_in(charlie).get(url(campaign)).status_code == 404


def test_readers_look_but_do_not_touch(campaign: Campaign, bob: User) -> None:
    page = signed_in(bob).get(url(campaign)).content.decode()
    assert "48 of 48" in page and "Pause" not in page and "for good" not in page
