"""Whole campaigns exported and imported by the API."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from accounts.models import Team, User
from campaigns.models import Campaign
from judging.models import Judgment
from materials import carrying
from materials.carrying import carry_out
from reports.archiving.asking import ARCHIVING
from reports.models import ArchiveJob
from tests.api.reaching import Speaker
from tests.reports.archiving.moving import forget_everything
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
URL = "/api/v1/campaigns/films-topk-guess/archive/"


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: True)


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def _send(speaker: Speaker, content: bytes) -> Any:
    where = speaker.post("/api/v1/uploads/", {"file": "study.zip", "size": len(content)}).headers["Location"]
    sent = speaker.ask("PATCH", where, content, {"upload-offset": "0"}).json()["id"]
    return speaker.post("/api/v1/archives/", {"upload": sent})


def test_it_works_there_and_back(speaker: Speaker, campaign: Campaign, django_capture_on_commit_callbacks: Any) -> None:
    judgments = Judgment.objects.count()
    assert speaker.get(URL).status_code == 404 and speaker.get(f"{URL}zip/").status_code == 409
    asked = speaker.post(URL)
    assert (asked.status_code, asked.json()["state"], asked.json()["done"]) == (202, "waiting", 0)
    assert speaker.post(URL).json()["id"] == asked.json()["id"]
    carry_out(ARCHIVING, ArchiveJob.objects.get().pk)
    told = speaker.get(URL).json()
    assert (told["state"], told["campaign"], told["file"]) == ("done", campaign.slug, "films-topk-guess.zip")
    file = speaker.get(f"{URL}zip/")
    content = b"".join(file.streaming_content)
    assert file.headers["Content-Type"] == "application/zip" and zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    forget_everything()
    with django_capture_on_commit_callbacks(execute=True):
        sent = _send(speaker, content)
    assert (sent.status_code, sent.json()["kind"], sent.json()["campaign"]) == (202, "import", None)
    carry_out(ARCHIVING, sent.json()["id"])
    done = speaker.get(sent.headers["Location"]).json()
    assert (done["state"], done["campaign"], done["error"]) == ("done", "films-topk-guess", "")
    assert Judgment.objects.count() == judgments > 40


def test_what_is_no_archive_is_told(speaker: Speaker, team: Team) -> None:
    sent = _send(speaker, b"no zip")
    carry_out(ARCHIVING, sent.json()["id"])
    told = speaker.get(sent.headers["Location"]).json()
    assert told["state"] == "failed" and told["error"].endswith("Nothing was imported.")


def test_an_upload_is_its_users_own(speaker: Speaker, team: Team, eve: User) -> None:
    where = speaker.post("/api/v1/uploads/", {"file": "study.zip", "size": 6}).headers["Location"]
    token = speaker.ask("PATCH", where, b"no", {"upload-offset": "0"}).json()["id"]
    assert speaker.post("/api/v1/archives/", {"upload": token}).status_code == 409
    assert Speaker(eve).post("/api/v1/archives/", {"upload": token}).status_code == 422


def test_analysts_get_no_archives(campaign: Campaign, bob: User) -> None:
    analyst = Speaker(bob)
    answers = (analyst.get(URL), analyst.post(URL), analyst.get(f"{URL}zip/"))
    assert [one.status_code for one in answers] == [403] * 3 and not ArchiveJob.objects.exists()
