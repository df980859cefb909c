import csv
import io
import json
import zipfile
from collections.abc import Iterable
from typing import cast

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from reports.aggregating import report_of
from reports.exporting import TIMES
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
PARTS = ["", "report.zip", "files/report.json", "judgments.csv"]


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


def url(campaign: Campaign, end: str = "") -> str:
    return f"/campaigns/{campaign.slug}/report/{end}"


def test_it_works(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "Integrated gradients has the highest weighted accuracy" in page
    assert "<svg" in page and "style=" not in page
    assert f"{url(campaign)}files/tables/methods.csv" in page


def test_it_says_when_it_was_computed(campaign: Campaign, alice: User) -> None:
    client, moment = signed_in(alice), report_of(campaign).made_at
    assert f"Computed {moment:%-d %b %Y, %H:%M} UTC" in client.get(url(campaign)).content.decode()
    assert report_of(campaign).made_at == moment


def test_ratings_work(team: Team, alice: User) -> None:
    page = signed_in(alice).get(url(judged_campaign(team, protocol="rating"))).content.decode()
    assert "Integrated gradients has the highest mean opinion" in page


def test_it_says_what_to_do_where_there_is_nothing_yet(team: Team, campaign: Campaign, alice: User) -> None:
    Campaign.objects.create(
        team=team, name="New", slug="new", protocol="topk_guess", dataset=campaign.dataset,
        classifier=campaign.classifier, methods=["random"], question="?", instructions="", consent="",
    )  # fmt: skip
    page = signed_in(alice).get("/campaigns/new/report/").content.decode()
    assert "No judgments yet" in page and "Launch the campaign" in page


def test_every_link_on_the_page_can_be_followed(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    page = client.get(url(campaign)).content.decode()
    links = {part.split('"')[0] for part in page.split('href="') if part.startswith(url(campaign))}
    assert len(links) > 12
    assert {link: client.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_files_are_downloads_with_the_campaigns_name(campaign: Campaign, alice: User) -> None:
    response = signed_in(alice).get(url(campaign, "files/report.json"))
    assert response["Content-Disposition"] == 'attachment; filename="films-topk-guess-report.json"'
    assert json.loads(response.content)["meta"]["n_judgments"] == 48


def test_the_archive_holds_every_file(campaign: Campaign, alice: User) -> None:
    response = signed_in(alice).get(url(campaign, "report.zip"))
    names = zipfile.ZipFile(io.BytesIO(response.content)).namelist()
    assert "films-topk-guess-report/report.html" in names
    assert "films-topk-guess-report/figures/scores.svg" in names


def test_judgments_are_streamed(campaign: Campaign, alice: User) -> None:
    response = signed_in(alice).get(url(campaign, "judgments.csv"))
    assert response.streaming
    content = b"".join(cast(Iterable[bytes], response)).decode()
    assert len(list(csv.DictReader(io.StringIO(content)))) == 49


def test_analysts_are_not_told_when_anybody_worked(campaign: Campaign, bob: User, eve: User) -> None:
    """In nothing that they can take home, be it a page, the file of judgments or the report's bundle."""
    rows = {who: _judgments(campaign, who) for who in (bob, eve)}
    assert all(row["received_at"] and row["leased_at"] for row in rows[eve])
    assert not any(row[name] for row in rows[bob] for name in TIMES)
    assert [row | dict.fromkeys(TIMES, "") for row in rows[eve]] == rows[bob]
    moments = {row[name][:19] for row in rows[eve] for name in ("received_at", "leased_at")}
    moments |= {moment.replace("T", " ") for moment in moments}
    bundle = zipfile.ZipFile(io.BytesIO(signed_in(bob).get(url(campaign, "report.zip")).content))
    told = {name: bundle.read(name) for name in bundle.namelist()}
    told["the page"] = signed_in(bob).get(f"/campaigns/{campaign.slug}/judgments/").content
    assert not [name for name, content in told.items() for moment in moments if moment.encode() in content]


def _judgments(campaign: Campaign, who: User) -> list[dict[str, str]]:
    response = signed_in(who).get(url(campaign, "judgments.csv"))
    content = b"".join(cast(Iterable[bytes], response)).decode()
    return list(csv.DictReader(io.StringIO(content)))


@pytest.mark.parametrize("name", ["files/nothing.csv", "files/../report.json"])
def test_there_are_no_other_files(campaign: Campaign, alice: User, name: str) -> None:
    assert signed_in(alice).get(url(campaign, name)).status_code == 404


@pytest.mark.parametrize("part", PARTS)
def test_it_is_for_reading_only(campaign: Campaign, alice: User, part: str) -> None:
    assert signed_in(alice).post(url(campaign, part)).status_code == 405


@pytest.mark.parametrize("part", PARTS)
def test_it_asks_strangers_to_sign_in(campaign: Campaign, part: str) -> None:
    assert Client().get(url(campaign, part))["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("part", PARTS)
def test_it_hides_campaigns_of_other_teams(campaign: Campaign, charlie: User, part: str) -> None:
    assert signed_in(charlie).get(url(campaign, part)).status_code == 404


@pytest.mark.parametrize("part", PARTS)
def test_readers_may_read(campaign: Campaign, bob: User, part: str) -> None:
    assert signed_in(bob).get(url(campaign, part)).status_code == 200


def test_the_number_of_queries_is_constant(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    with CaptureQueriesContext(connection) as queries:
        client.get(url(campaign))
    assert len(queries) <= 24


def test_what_is_long_is_rendered_once(campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(alice)
    first = client.get(url(campaign)).content.decode()
    monkeypatch.setattr("reports.writing.make_parts", lambda *_: pytest.fail("It is at hand."))
    again = client.get(url(campaign)).content.decode()
    assert first.split('<div class="report">')[1].split('id="files"')[0] in again


def test_each_filter_has_a_rendering_of_its_own(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    pages = [
        client.get(url(campaign), query).content.decode() for query in ({}, {"label": "pos"}, {"method": "random"})
    ]
    found = [page.split('<div class="report">')[1] for page in pages]
    assert "24 of 48 judgments" not in found[0] and "(texts labelled pos)" in found[1] and "(Random)" in found[2]
