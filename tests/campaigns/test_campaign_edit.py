from django.urls import reverse

from accounts.models import Team, User
from campaigns.creating import copy_campaign
from campaigns.forms import CampaignForm
from campaigns.models import Campaign
from tests.campaigns.actors import draft, live, preparing
from tests.conftest import signed_in


def filled(user: User, campaign: Campaign, **changes: object) -> dict[str, object]:
    form = CampaignForm(user, instance=campaign)
    values = {name: one[name].value() for one in (form, *form.parts) for name in one.fields}
    return {name: value for name, value in values.items() if value is not None and value is not False} | changes


def test_it_works(alice: User, team: Team) -> None:
    campaign = draft(team)
    url = reverse("campaign_edit", args=[campaign.slug])
    client = signed_in(alice)
    assert "Which words matter" in client.get(url).content.decode()
    response = client.post(url, filled(alice, campaign, question="Another?", ks="1, 3"))
    assert response.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.question, campaign.ks, campaign.slug) == ("Another?", [1, 3], "which-words-matter")


def test_invalid_answers_are_kept_and_marked(alice: User, team: Team) -> None:
    campaign = draft(team)
    url = reverse("campaign_edit", args=[campaign.slug])
    page = signed_in(alice).post(url, filled(alice, campaign, ks="0")).content.decode()
    assert 'name="ks" value="0"' in page and "from 1 to 10,000" in page


def test_only_a_draft_can_be_changed(alice: User, team: Team) -> None:
    campaign = preparing(team)
    url = reverse("campaign_edit", args=[campaign.slug])
    response = signed_in(alice).post(url, filled(alice, campaign, question="Another?"), follow=True)
    assert b"Only a draft can be changed" in response.content
    campaign.refresh_from_db()
    assert campaign.question != "Another?"


def test_other_methods_are_refused(alice: User, team: Team) -> None:
    draft(team)
    client = signed_in(alice)
    for name, status in (("campaign_edit", 405), ("campaign_copy", 405), ("campaign_delete", 405)):
        assert client.delete(reverse(name, args=["which-words-matter"])).status_code == status
    assert client.get(reverse("campaign_delete", args=["which-words-matter"])).status_code == 405


def test_another_team_s_is_not_found(charlie: User, team: Team) -> None:
    draft(team)
    client = signed_in(charlie)
    for name in ("campaign_edit", "campaign_copy", "campaign_delete"):
        assert client.post(reverse(name, args=["which-words-matter"])).status_code == 404


def test_a_reader_is_refused(bob: User, team: Team) -> None:
    draft(team)
    client = signed_in(bob)
    for name in ("campaign_edit", "campaign_copy", "campaign_delete"):
        assert client.post(reverse(name, args=["which-words-matter"])).status_code == 403
    assert Campaign.objects.count() == 1


def test_a_live_campaign_is_copied_to_be_changed(alice: User, team: Team) -> None:
    live(team)
    response = signed_in(alice).post(reverse("campaign_copy", args=["which-words-matter"]))
    assert response.headers["Location"] == "/campaigns/copy-of-which-words-matter/edit/"


def test_a_draft_can_be_deleted_and_a_live_one_not(alice: User, team: Team) -> None:
    campaign, client = live(team), signed_in(alice)
    copied = copy_campaign(campaign)
    assert client.post(reverse("campaign_delete", args=[copied.slug])).headers["Location"] == "/campaigns/"
    response = client.post(reverse("campaign_delete", args=[campaign.slug]), follow=True)
    assert b"The campaign is live by now" in response.content
    assert Campaign.objects.get() == campaign
