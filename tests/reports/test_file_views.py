"""The files of a report on its page: one by one, or all that a worker process makes."""

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from materials import carrying
from materials.carrying import carry_out
from reports import building
from reports.building import BUILDING, state_of
from reports.files import FILES
from reports.models import ReportBuild
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: True)
    return judged_campaign(team)


def url(campaign: Campaign, end: str = "build/") -> str:
    return f"/campaigns/{campaign.slug}/report/{end}"


def test_it_works(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    page = client.get(url(campaign)).content.decode()
    assert "Make all files" in page and all(kind.label in page for kind in FILES)
    assert client.post(url(campaign))["Location"] == f"/campaigns/{campaign.slug}/report/"
    page = client.get(url(campaign)).content.decode()
    assert "Waiting for a worker process" in page and 'hx-trigger="every 2s"' in page
    carry_out(BUILDING, ReportBuild.objects.get().pk)
    page = client.get(url(campaign)).content.decode()
    assert "Download all (zip)" in page and "hx-trigger" not in page and "Make them anew" not in page
    assert zipfile.ZipFile(io.BytesIO(client.get(url(campaign, "report.zip")).content)).testzip() is None


def test_progress_is_shown(campaign: Campaign, alice: User) -> None:
    build = state_of(campaign, None)
    ReportBuild.objects.filter(pk=build.pk).update(step="Figures", done=5, total=10)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "Figures" in page and "5 of 10" in page and 'value="5"' in page


def test_an_old_build_can_be_made_anew(campaign: Campaign, alice: User) -> None:
    carry_out(BUILDING, state_of(campaign, None).pk)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "Download all (zip)" in page and "Make them anew" in page and "since then" in page


def test_a_page_that_shows_an_older_report_offers_the_new_one(
    campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_out(BUILDING, state_of(campaign, None).pk)
    assert "Show the new report" not in signed_in(alice).get(url(campaign)).content.decode()
    monkeypatch.setattr(building, "LARGE", 10)
    assert "Show the new report" in signed_in(alice).get(url(campaign)).content.decode()
    assert "Show the new report" not in signed_in(alice).get(url(campaign, "")).content.decode()


def test_a_failure_is_told(campaign: Campaign, alice: User) -> None:
    build = state_of(campaign, None)
    ReportBuild.objects.filter(pk=build.pk).update(state="failed", error="It could not be made: out of paper")
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "out of paper" in page and "Make all files" in page


def test_the_page_asks_without_being_loaded_anew(campaign: Campaign, alice: User) -> None:
    response = signed_in(alice).post(url(campaign), headers={"HX-Request": "true"})
    assert response.status_code == 200 and "Being made" in response.content.decode()


def test_a_large_report_has_no_archive_before_it_is_built(
    campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "LARGE", 10)
    response = signed_in(alice).get(url(campaign, "report.zip"))
    assert response.status_code == 302 and response["Location"] == f"/campaigns/{campaign.slug}/report/"
    assert signed_in(alice).get(url(campaign, "files/report.json")).status_code == 404


def test_single_files_are_made_at_once(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    kinds = {
        "report.json": "application/json",
        "report.pdf": "application/pdf",
        "methods.txt": "text/plain; charset=utf-8",
        "figures/scores.png": "image/png",
        "heds.json": "application/json",
    }
    answers = {name: client.get(url(campaign, f"files/{name}")) for name in kinds}
    assert {name: answer["Content-Type"] for name, answer in answers.items()} == kinds
    assert all(answer.content for answer in answers.values())


def test_other_methods_are_refused(campaign: Campaign, alice: User) -> None:
    assert signed_in(alice).delete(url(campaign)).status_code == 405


def test_it_asks_strangers_to_sign_in(campaign: Campaign) -> None:
    assert Client().post(url(campaign))["Location"].startswith(reverse("login"))
    assert not ReportBuild.objects.exists()


def test_it_hides_campaigns_of_other_teams(campaign: Campaign, charlie: User) -> None:
    assert signed_in(charlie).post(url(campaign)).status_code == 404
    assert not ReportBuild.objects.exists()


def test_readers_may_have_files_made(campaign: Campaign, bob: User) -> None:
    assert signed_in(bob).post(url(campaign)).status_code == 302
    assert ReportBuild.objects.count() == 1
