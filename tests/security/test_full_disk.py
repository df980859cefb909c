"""A disk without room for more: it is told in words, and nothing half-written stays."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Team, User
from materials import bringing
from materials.carrying import carry_out
from materials.models import Dataset, Import
from reports.archiving import asking
from reports.models import ArchiveJob
from tests.api.reaching import Speaker
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
TEXTS = b"text,label\n" + b"A fine film,positive\n" * 2_000
WORDS = "No room is left on"


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@contextmanager
def room_for(most: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: what the kernel then says, it says of a full disk, too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def left(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_a_form_with_a_file_is_answered_in_words(alice: User, team: Team, media: Path) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    with room_for(10_000):
        page = client.post("/datasets/import/", {"file": SimpleUploadedFile("films.csv", TEXTS), "team": team.pk})
    assert page.status_code == 507 and WORDS in page.content.decode()
    assert str(media) not in page.content.decode() and left(media) == [] == list((media / "uploads").iterdir())


def test_a_part_of_a_file_comes_again_once_there_is_room(alice: User, media: Path) -> None:
    speaker = Speaker(alice)
    speaker.client.raise_request_exception = False
    where = speaker.post("/api/v1/uploads/", {"file": "films.csv", "size": len(TEXTS)}).headers["Location"]
    with room_for(10_000):
        refused = speaker.ask("PATCH", where, TEXTS, {"upload-offset": "0"})
    assert (refused.status_code, refused.json()["code"]) == (507, "no_room")
    assert WORDS in refused.json()["detail"] and str(media) not in refused.content.decode()
    assert speaker.get(where).json()["offset"] == 0
    assert speaker.ask("PATCH", where, TEXTS, {"upload-offset": "0"}).json()["offset"] == len(TEXTS)


def test_an_archive_is_there_whole_or_not_at_all(alice: User, team: Team, media: Path) -> None:
    job = asking.ask_export(alice, judged_campaign(team))
    with room_for(2_000):
        carry_out(asking.ARCHIVING, job.pk)
    job.refresh_from_db()
    assert job.state == ArchiveJob.State.FAILED and WORDS in job.error and str(media) not in job.error
    assert left(media) == []


def test_an_archive_that_comes_in_is_there_whole_or_not_at_all(alice: User, team: Team, media: Path) -> None:
    with room_for(2_000), pytest.raises(OSError, match="too large"):
        asking.ask_import(alice, team, iter([b"PK" * 4_000]), "films.zip")
    assert left(media) == [] and not ArchiveJob.objects.exists()


def test_an_import_whose_list_of_rejected_rows_finds_no_room_says_so(alice: User, team: Team, media: Path) -> None:
    rows = b"text,label\n" + b",positive\n" * 5_000
    client = signed_in(alice)
    page = client.post("/datasets/import/", {"file": SimpleUploadedFile("films.csv", rows), "team": team.pk})[
        "Location"
    ]
    client.post(page, {"dataset": "Films", "language": "en", "text": "text", "label": "label"})
    with room_for(5_000):
        carry_out(bringing.IMPORTING, Import.objects.get().pk)
    row = Import.objects.get()
    assert row.state == Import.State.FAILED and WORDS in row.error and str(media) not in row.error
    assert not Dataset.objects.exists()
