"""A campaign is deleted with all that was gathered in it, by an owner who types its name, and with nothing else."""

import pytest

from accounts.models import AuditEntry, Membership, Team, User
from campaigns.models import Campaign, Place, Registration, Stimulus
from judging.models import Assignment, Judgment, Participation
from materials.models import Explanation, Text
from reports.deleting import delete_campaign, what_goes
from reports.models import ReportBuild
from tests.campaigns.actors import draft, live
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

URL = "/campaigns/films-topk-guess/remove/"
ROWS = (Judgment, Assignment, Participation, Place, Stimulus, ReportBuild, Registration, Campaign)


def test_it_works(alice: User, team: Team) -> None:
    campaign, client = judged_campaign(team, state="closed"), signed_in(alice)
    judgments = Judgment.objects.count()
    texts, maps = Text.objects.count(), Explanation.objects.count()
    page = client.get(URL).content.decode()
    assert (
        f"{judgments} judgments" in page
        and "participants, with what they said" in page
        and "the report and its files" in page
    )
    response = client.post(URL, {"typed": campaign.name}, follow=True)
    assert f"The campaign {campaign.name} is deleted." in response.content.decode()
    assert [model.objects.count() for model in ROWS] == [0] * len(ROWS)
    assert (Text.objects.count(), Explanation.objects.count()) == (texts, maps)
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.subject_name, entry.detail["judgments"]) == (
        alice,
        "deleted",
        campaign.name,
        judgments,
    )


@pytest.mark.parametrize("typed", ["", "films", "Films: another"])
def test_another_name_deletes_nothing(alice: User, team: Team, typed: str) -> None:
    judged_campaign(team, state="closed")
    assert signed_in(alice).post(URL, {"typed": typed}).status_code == 422
    assert Campaign.objects.exists() and Judgment.objects.exists()


def test_only_owners_delete(alice: User, bob: User, charlie: User, team: Team) -> None:
    campaign = judged_campaign(team, state="closed")
    Membership.objects.filter(user=alice).update(role=Membership.Role.EDITOR)
    for user, status in ((alice, 403), (bob, 403), (charlie, 404)):
        client = signed_in(user)
        assert client.get(URL).status_code == client.post(URL, {"typed": campaign.name}).status_code == status
        assert b"Delete it with all" not in client.get(campaign.get_absolute_url()).content
    assert signed_in(alice).put(URL).status_code == 405 and Judgment.objects.exists()


@pytest.mark.parametrize("state", ["live", "paused"])
def test_what_goes_on_is_closed_first(alice: User, team: Team, state: str) -> None:
    campaign = judged_campaign(team, state=state)
    response = signed_in(alice).post(URL, {"typed": campaign.name}, follow=True)
    assert "close it before you delete it" in response.content.decode() and Judgment.objects.exists()


def test_another_campaign_of_the_same_texts_stays(team: Team) -> None:
    campaign = live(team)
    other = judged_campaign(team)
    before = Judgment.objects.count()
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    assert what_goes(campaign) == ["the pre-registration", "the design, and what was shown of each text"]
    delete_campaign(campaign, None)
    assert list(Campaign.objects.all()) == [other] and Judgment.objects.count() == before


def test_a_draft_has_its_design_alone(team: Team) -> None:
    assert what_goes(draft(team)) == ["the design"]
