import pytest
from django.test import Client

from accounts.models import Team, User
from campaigns.models import Campaign
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


def url(campaign: Campaign, end: str = "") -> str:
    return f"/campaigns/{campaign.slug}/live/{end}"


def test_it_works(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "48 of 48" in page
    assert "Integrated gradients" in page and "10 words" in page
    assert "Pause" in page and "for good" in page


def test_it_refreshes_while_live(campaign: Campaign, alice: User) -> None:
    assert "every 5s" in signed_in(alice).get(url(campaign)).content.decode()
    Campaign.objects.update(state=Campaign.State.CLOSED)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "every 5s" not in page and "Pause" not in page and "for good" not in page


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("live", "pause", "paused"),
        ("paused", "resume", "live"),
        ("live", "close", "closed"),
        ("paused", "close", "closed"),
    ],
)
def test_it_moves_the_campaign(campaign: Campaign, alice: User, before: str, move: str, after: str) -> None:
    Campaign.objects.update(state=before)
    response = signed_in(alice).post(url(campaign, f"{move}/"))
    assert response["Location"] == url(campaign)
    campaign.refresh_from_db()
    assert campaign.state == after


def test_a_second_click_is_told_what_happened(campaign: Campaign, alice: User) -> None:
    Campaign.objects.update(state=Campaign.State.CLOSED)
    page = signed_in(alice).post(url(campaign, "close/"), follow=True).content.decode()
    assert "The campaign is closed already." in page


def test_it_knows_no_other_moves(campaign: Campaign, alice: User) -> None:
    assert signed_in(alice).post(url(campaign, "delete/")).status_code == 404


def test_it_moves_by_post_only(campaign: Campaign, alice: User) -> None:
    assert signed_in(alice).get(url(campaign, "pause/")).status_code == 405
    assert signed_in(alice).post(url(campaign)).status_code == 405


def test_it_asks_strangers_to_sign_in(campaign: Campaign) -> None:
    for path in (url(campaign), url(campaign, "pause/")):
        assert "login" in Client().post(path)["Location"]


def test_it_hides_campaigns_of_other_teams(campaign: Campaign, charlie: User) -> None:
    assert signed_in(charlie).get(url(campaign)).status_code == 404
    assert signed_in(charlie).post(url(campaign, "pause/")).status_code == 404


def test_readers_look_but_do_not_touch(campaign: Campaign, bob: User) -> None:
    page = signed_in(bob).get(url(campaign)).content.decode()
    assert "48 of 48" in page and "Pause" not in page
    assert signed_in(bob).post(url(campaign, "pause/")).status_code == 403
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.LIVE
