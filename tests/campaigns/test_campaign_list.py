"""The list of campaigns: narrowed, ordered, paged, with what was begun; putting campaigns aside."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, Membership, Team, User
from campaigns.creating import copy_campaign
from campaigns.listing import ON_A_PAGE, campaigns_page
from campaigns.models import Campaign, Place, Sketch
from campaigns.moving import CampaignError
from campaigns.putting_aside import put_aside, take_back
from tests.campaigns.actors import draft, live
from tests.conftest import signed_in

URL = "/campaigns/"


def named(original: Campaign, *names: str) -> list[Campaign]:
    found = []
    for name in names:
        copied = copy_campaign(original)
        Campaign.objects.filter(pk=copied.pk).update(name=name)
        found.append(copied)
    return found


def shown(user: User, **asked: str) -> list[str]:
    return [row.campaign.name for row in campaigns_page(user, asked)["rows"]]


def test_it_works(alice: User, team: Team) -> None:
    campaign = live(team)
    Place.objects.filter(pk__in=campaign.places.values("pk")[:12]).update(state="filled")
    page = signed_in(alice).get(URL).content.decode()
    assert "Which words matter" in page and "12 of 48" in page and "Live" in page and "Judgments, 25 %" in page


def test_it_is_narrowed_and_ordered(alice: User, team: Team) -> None:
    named(live(team), "Beta words", "Alpha words", "100 % sure")
    assert shown(alice, q="A WORDS ", order="name") == ["Alpha words", "Beta words"]
    assert shown(alice, q="copy-of-which") == ["100 % sure", "Alpha words", "Beta words"]  # By its address, too.
    assert shown(alice, state="live") == ["Which words matter"] == shown(alice, order="state")[:1]
    assert shown(alice, order="oldest")[0] == "Which words matter" == shown(alice)[-1]
    assert shown(alice, q="%") == ["100 % sure"] and shown(alice, q="no such") == []


def test_what_is_no_choice_narrows_nothing(alice: User, team: Team) -> None:
    draft(team)
    for asked in ({"state": "x"}, {"team": "x"}, {"order": "x"}, {"page": "x"}, {"page": "99"}, {"q": "\0"}):
        assert signed_in(alice).get(URL, asked).status_code == 200
    assert shown(alice, state="x", order="y") == ["Which words matter"]


def test_nothing_found_says_so(alice: User, team: Team) -> None:
    draft(team)
    page = signed_in(alice).get(URL, {"q": "no such"}).content.decode()
    assert "No campaign like this" in page and "0 campaigns" in page


def test_teams_are_asked_for_where_there_are_several(alice: User, charlie: User, team: Team) -> None:
    draft(team)
    assert b'name="team"' not in signed_in(alice).get(URL).content
    other = charlie.teams.get()
    Membership.objects.create(team=other, user=alice, role=Membership.Role.EDITOR)
    assert b'name="team"' in signed_in(alice).get(URL).content
    assert shown(alice, team=str(other.pk)) == [] and shown(alice, team=str(team.pk)) == ["Which words matter"]
    assert shown(charlie, team=str(team.pk)) == []


def test_it_is_turned_over(alice: User, team: Team) -> None:
    named(draft(team), *(f"Number {n:02}" for n in range(ON_A_PAGE)))
    assert len(shown(alice)) == ON_A_PAGE and shown(alice, page="2") == ["Which words matter"]
    assert "1–25 of 26" in signed_in(alice).get(URL).content.decode()


def test_it_takes_the_same_queries_for_any_number_of_campaigns(alice: User, team: Team) -> None:
    client, counts = signed_in(alice), []
    original = live(team)
    for _ in range(2):
        client.get(URL)
        with CaptureQueriesContext(connection) as queries:
            client.get(URL)
        counts.append(len(queries))
        named(original, "One", "Two", "Three")
    assert counts[0] == counts[1] < 20


def test_what_was_begun_stands_on_top_for_its_author(alice: User, bob: User, team: Team) -> None:
    signed_in(alice).post("/campaigns/autosave/", {"name": "Half a thought"})
    page = signed_in(alice).get(URL).content.decode()
    assert "Begun and not made yet" in page and Sketch.objects.get().get_absolute_url() in page
    assert "Half a thought" not in signed_in(bob).get(URL).content.decode()


def test_a_campaign_is_put_aside_and_taken_back(alice: User, team: Team) -> None:
    campaign, client = draft(team), signed_in(alice)
    page = client.post(f"{URL}which-words-matter/aside/", follow=True).content.decode()
    assert "lists leave it out" in page and "Take it back" in page
    assert shown(alice) == [] and shown(alice, state="aside") == ["Which words matter"]
    assert "All campaigns are put aside" in client.get(URL).content.decode()
    client.post(f"{URL}which-words-matter/back/")
    campaign.refresh_from_db()
    assert shown(alice) == ["Which words matter"] and campaign.archived_at is None
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["put_aside", "taken_back"]


def test_a_launched_one_is_put_aside_once_it_is_over(team: Team) -> None:
    campaign = live(team)
    with pytest.raises(CampaignError, match="is live: put it aside once that is over"):
        put_aside(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    put_aside(campaign)
    put_aside(campaign)
    assert campaign.archived_at
    take_back(campaign)
    assert campaign.archived_at is None
