"""Archives that worker processes make and take in: whatever is killed, doubled, forgotten or no archive at all."""

import io
import os
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry, Membership, Team, User
from campaigns.models import Campaign
from judging.erasing import erase
from judging.models import Judgment
from materials import carrying
from materials.carrying import NO_QUEUE, carry_out, unfinished
from reports.archiving import asking
from reports.archiving.asking import ARCHIVING, DIED, GONE, LEFT, ask_export, ask_import, file_of
from reports.deleting import delete_campaign
from reports.models import ArchiveJob
from reports.tasks import carry_archive, forget_archives
from tests.accounts.racing import at_once
from tests.conftest import signed_in
from tests.reports.archiving.moving import exported, forget_everything, repacked
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
URL, IMPORT = "/campaigns/films-topk-guess/archive/", "/campaigns/import/"
State = ArchiveJob.State


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    settings.MEDIA_ROOT = folder
    return folder


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return judged_campaign(team)


@pytest.fixture
def client(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is sent to worker processes, and to nobody."""
    asked: list[int] = []

    def keep(task: str, ids: list[int]) -> bool:
        asked.extend(ids)
        return True

    monkeypatch.setattr(carrying, "enqueue", keep)
    return asked


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.zip*"))


def ended(job: ArchiveJob) -> ArchiveJob:
    carry_out(ARCHIVING, job.pk)
    job.refresh_from_db()
    return job


def chunks(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()


def test_it_works(
    client: Client, alice: User, campaign: Campaign, queue: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    """From one button to the other, through the pages."""
    assert "Make an archive" in client.get(URL).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        page = client.post(URL, follow=True).content.decode()
    assert "Waiting for a worker process" in page and f'hx-get="{URL}"' in page
    assert unfinished(ARCHIVING) == queue
    carry_archive(queue[0])
    assert client.get(URL, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "The archive is ready" in client.get(URL).content.decode()
    response = client.get(f"{URL}archive.zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="films-topk-guess.zip"'
    packed = b"".join(response)
    assert "manifest.json" in zipfile.ZipFile(io.BytesIO(packed)).namelist()
    judgments = Judgment.objects.count()
    forget_everything()
    response = client.post(IMPORT, {"file": SimpleUploadedFile("mine.zip", packed), "team": campaign.team_id})
    following = response.headers["Location"]
    assert "Waiting for a worker process" in client.get(following).content.decode()
    carry_archive(unfinished(ARCHIVING)[0])
    assert client.get(following, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    page = client.get(following, follow=True).content.decode()
    assert "mine.zip is imported" in page and Judgment.objects.count() == judgments > 0
    acts = AuditEntry.objects.values_list("actor", "act", "subject_name")
    assert set(acts) == {(alice.pk, "archived", campaign.name), (alice.pk, "imported", campaign.name)}


def test_asking_twice_finds_the_same_and_asking_later_replaces_it(
    alice: User, campaign: Campaign, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    first = ask_export(alice, campaign)
    assert ask_export(alice, campaign) == first
    assert ended(first).state == State.DONE and left(media) == [f"{first.token}.zip"]
    carry_out(ARCHIVING, first.pk)
    with django_capture_on_commit_callbacks(execute=True):
        second = ended(ask_export(alice, campaign))
    assert second != first and left(media) == [f"{second.token}.zip"]


@pytest.mark.django_db(transaction=True)
def test_tables_are_counted_where_the_page_sees_them(
    alice: User, client: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, seen, counting = ask_export(alice, campaign), [], asking._counting

    def look() -> ArchiveJob:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(found).result()

    def found() -> ArchiveJob:
        try:
            return ArchiveJob.objects.get(pk=job.pk)
        finally:
            connection.close()

    def watched(tell: Any, total: int) -> Any:
        told = counting(tell, total)

        def look_after(part: Any) -> None:
            told(part)
            seen.append(look())

        return look_after

    monkeypatch.setattr(asking, "_counting", watched)
    assert (job.done, job.step) == (0, "")
    ended(job)
    assert [row.done for row in seen] == list(range(seen[0].total)) and seen[0].step == "Dataset"


@pytest.mark.parametrize("name", ["texts.jsonl", "judgments.jsonl"])
def test_a_broken_archive_says_what_and_leaves_nothing(
    alice: User, client: Client, team: Team, campaign: Campaign, media: Path, tmp_path: Path, name: str
) -> None:
    broken = repacked(exported(campaign, tmp_path), {name: b"{}\n"})
    forget_everything()
    job = ended(ask_import(alice, team, chunks(broken), "broken.zip"))
    assert job.state == State.FAILED and job.error.startswith(name) and job.error.endswith("Nothing was imported.")
    assert not Campaign.objects.exists() and left(media) == []
    page = client.get(f"{IMPORT}{job.pk}/").content.decode()
    assert "broken.zip" in page and "was not imported" in page and "Drop an archive here" in page
    assert "broken.zip is not imported" in client.get("/").content.decode()


def test_no_file_and_no_zip_are_refused(alice: User, client: Client, team: Team, media: Path) -> None:
    assert "Choose an archive first." in client.post(IMPORT, {"team": team.pk}).content.decode()
    job = ended(ask_import(alice, team, iter([b"text,label\n"]), "texts.csv"))
    assert "It is no whole ZIP file" in job.error and left(media) == []


def test_a_killed_worker_process_is_followed_by_another_and_at_last_given_up(alice: User, campaign: Campaign) -> None:
    job = ask_export(alice, campaign)
    ArchiveJob.objects.filter(pk=job.pk).update(tries=2)
    assert ended(job).state == State.DONE
    again = ask_export(alice, campaign)
    ArchiveJob.objects.filter(pk=again.pk).update(tries=3)
    assert ended(again).error == DIED


def test_who_left_the_team_gets_nothing_and_a_lost_file_is_said(
    alice: User, team: Team, campaign: Campaign, media: Path
) -> None:
    lost = ask_import(alice, team, iter([b"PK"]), "lost.zip")
    file_of(lost).unlink()
    assert ended(lost).error.startswith(GONE)
    job = ask_export(alice, campaign)
    Membership.objects.filter(user=alice).update(role=Membership.Role.ANALYST)
    assert ended(job).error == LEFT and left(media) == []


def test_without_a_queue_it_says_so(
    alice: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: False)
    with django_capture_on_commit_callbacks(execute=True):
        job = ask_export(alice, campaign)
    job.refresh_from_db()
    assert job.error == NO_QUEUE


def test_what_workers_said_goes_from_archives_too(
    alice: User, campaign: Campaign, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    """When a worker's data are erased, when the campaign is deleted, and after a day."""
    for forget in (_erase_somebody, _wait_a_day, _delete):
        row = Campaign.objects.get(pk=campaign.pk)
        ended(ask_export(alice, row))
        assert len(left(media)) == 1
        with django_capture_on_commit_callbacks(execute=True):
            forget(row)
        assert not ArchiveJob.objects.exists() and left(media) == []


def test_one_under_way_when_it_is_forgotten_leaves_no_file(
    alice: User, campaign: Campaign, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask_export(alice, campaign)
    monkeypatch.setattr(asking, "_counting", lambda *_: lambda _part: asking.forget_exports(campaign.pk))
    carry_out(ARCHIVING, job.pk)
    assert not ArchiveJob.objects.exists() and left(media) == []


def test_files_that_no_job_knows_of_go_after_a_day(team: Team, media: Path) -> None:
    """Of a process that was killed over one half written, or before its row was."""
    folder = media / "archives"
    folder.mkdir(parents=True)
    ArchiveJob.objects.create(team=team, kind=ArchiveJob.Kind.IMPORT, token="known", file="a.zip")
    for name in ("known.zip", "stray.zip", "stray.zip.part", "young.zip.part"):
        (folder / name).touch()
        if name != "young.zip.part":
            os.utime(folder / name, (0, 0))
    forget_archives()
    assert left(media) == ["known.zip", "young.zip.part"]


def _erase_somebody(campaign: Campaign) -> None:
    erase(campaign.participations.earliest("pk"))


def _wait_a_day(campaign: Campaign) -> None:
    ArchiveJob.objects.update(created_at="2026-01-01T00:00Z")
    asking.forget_old()


def _delete(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    delete_campaign(campaign, None)


def test_a_team_has_so_many_on_their_way_in_and_no_more(
    client: Client, alice: User, team: Team, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_COMING", 1)
    waiting = ask_import(alice, team, iter([b"PK"]), "first.zip")
    page = client.post(IMPORT, {"file": SimpleUploadedFile("second.zip", b"PK"), "team": team.pk})
    assert "wait until one of them is done" in page.content.decode()
    assert len(left(media)) == ArchiveJob.objects.count() == 1
    ended(waiting)
    assert client.post(IMPORT, {"file": SimpleUploadedFile("second.zip", b"PK"), "team": team.pk}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_not_even_when_many_come_at_once(alice: User, team: Team, media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_COMING", 2)

    def bring() -> None:
        with suppress(asking.TooManyArchives):
            ask_import(alice, team, iter([b"PK"]), "one.zip")

    assert at_once(*[bring] * 6) == [""] * 6
    assert len(left(media)) == ArchiveJob.objects.count() == 2
