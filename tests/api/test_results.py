"""Judgments and reports by the API."""

import io
import json
import zipfile
from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from materials import carrying
from materials.carrying import carry_out
from reports import building
from reports.aggregating import report_of
from reports.building import BUILDING
from reports.exporting import TIMES, columns_of, judgment_rows
from reports.models import ReportBuild
from tests.api.reaching import Speaker
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


@pytest.fixture
def analyst(bob: User) -> Speaker:
    return Speaker(bob)


def _at(campaign: Campaign, more: str) -> str:
    return f"/api/v1/campaigns/{campaign.slug}/{more}"


def _exported(campaign: Campaign, untold: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """With the numbers by which single ones are asked for."""
    rows = [json.loads(json.dumps(row)) for row in judgment_rows(campaign, ["id", *columns_of(campaign)])]
    return [row | dict.fromkeys(untold) for row in rows]


def test_it_works(analyst: Speaker, campaign: Campaign) -> None:
    """Pages, stream and export hold the same."""
    rows, address = [], _at(campaign, "judgments/?page_size=7")
    while address:
        page = analyst.get(address).json()
        assert len(page["results"]) <= 7
        rows += page["results"]
        address = page["next"]
    streamed = analyst.get(_at(campaign, "judgments/all/"))
    assert streamed.streaming and streamed.headers["Content-Type"] == "application/x-ndjson"
    lines = b"".join(streamed.streaming_content).decode().splitlines()
    assert rows == [json.loads(line) for line in lines] == _exported(campaign, TIMES) and len(rows) > 40


def test_who_sees_data_about_workers_is_told_times_too(eve: User, campaign: Campaign) -> None:
    editor = Speaker(eve)
    page = editor.get(_at(campaign, "judgments/?page_size=1000")).json()["results"]
    lines = b"".join(editor.get(_at(campaign, "judgments/all/")).streaming_content).decode().splitlines()
    assert page == [json.loads(line) for line in lines] == _exported(campaign)
    assert all(row["received_at"] and row["leased_at"] for row in page)


def test_a_page_costs_the_same_wherever_it_is(
    analyst: Speaker, campaign: Campaign, django_assert_max_num_queries: Any
) -> None:
    second = analyst.get(_at(campaign, "judgments/?page_size=2")).json()["next"]
    for address in (_at(campaign, "judgments/?page_size=40"), second):
        with django_assert_max_num_queries(14):
            assert analyst.get(address).status_code == 200


def test_a_campaign_without_judgments_has_none(analyst: Speaker, campaign: Campaign, team: Team) -> None:
    other = Campaign.objects.create(
        team=team, name="Other", slug="other", protocol="topk_guess", methods=[], dataset=campaign.dataset,
        classifier=campaign.classifier,
    )  # fmt: skip
    assert analyst.get(_at(other, "judgments/")).json() == {"next": None, "results": []}
    assert b"".join(analyst.get(_at(other, "judgments/all/")).streaming_content) == b""


def test_what_is_no_cursor_is_refused(analyst: Speaker, campaign: Campaign) -> None:
    for query in ("cursor=%00", "cursor=!!", "page_size=0", "page_size=1001", "page_size=x"):
        assert analyst.get(_at(campaign, f"judgments/?{query}")).status_code == 400


def test_a_report_is_asked_for_made_and_read(analyst: Speaker, campaign: Campaign, monkeypatch: Any) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: True)
    assert analyst.get(_at(campaign, "report/")).json()["state"] == "none"
    for part in ("zip", "files", "file"):
        assert analyst.get(_at(campaign, f"report/{part}/")).status_code == 409
    answers = [analyst.post(_at(campaign, "report/")) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202] and answers[1].json()["state"] == "waiting"
    carry_out(BUILDING, ReportBuild.objects.get().pk)
    done = analyst.get(_at(campaign, "report/")).json()
    assert (done["state"], done["current"], done["done"]) == ("done", True, done["total"])
    listed = {one["name"]: one["size"] for one in analyst.get(_at(campaign, "report/files/")).json()}
    content = analyst.get(_at(campaign, "report/file/?name=report.json")).content
    assert len(content) == listed["report.json"] and json.loads(content)["methods"]
    packed = zipfile.ZipFile(io.BytesIO(analyst.get(_at(campaign, "report/zip/")).content))
    assert len(packed.namelist()) == len(listed)
    for name in ("", "../secret", "no-such.csv", "/etc/passwd"):
        assert analyst.get(_at(campaign, f"report/file/?name={name}")).status_code == 404


def test_a_small_campaign_s_report_json_needs_no_waiting(analyst: Speaker, campaign: Campaign) -> None:
    told = analyst.get(_at(campaign, "report/json/")).json()
    assert told["methods"] == json.loads(json.dumps(report_of(campaign).report))["methods"]


def test_a_large_campaign_s_report_has_to_be_made_first(
    analyst: Speaker, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "LARGE", 1)
    answer = analyst.get(_at(campaign, "report/json/"))
    assert answer.status_code == 409 and "ask for one" in answer.json()["detail"]


def test_other_representations_are_not_offered(analyst: Speaker, campaign: Campaign) -> None:
    answer = analyst.get(_at(campaign, "judgments/all/"), accept="text/html")
    assert answer.status_code == 406
