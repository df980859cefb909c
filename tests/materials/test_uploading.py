import errno
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404

from accounts.models import Team, User
from materials import resuming, uploading
from materials.models import Dataset, Import
from materials.tasks import discard_uploads
from tests.accounts.racing import at_once


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]
    return tmp_path


def data(team: Team, name: str = "films.csv") -> dict[str, Any]:
    file = SimpleUploadedFile(name, b"text,label\na,b\n")
    return {"file": file, "team": team, "encoding": "", "plain_quotes": False}


def test_it_works(alice: User, team: Team) -> None:
    kept = uploading.keep(alice, None, data(team))
    found = uploading.find(alice, kept.token)
    assert found == kept and [row.columns for row in found.table().rows()] == [{"text": "a", "label": "b"}]
    assert found.team(alice) == team and found.into(alice) is None


@pytest.mark.parametrize("name", ["../../etc/passwd.csv", "a b\u00e9'.csv", "x" * 300 + ".csv", "..csv"])
def test_no_name_leads_out_of_its_folder(alice: User, team: Team, media: Path, name: str) -> None:
    kept = uploading.keep(alice, None, data(team, name))
    (file,) = (kept.folder / "file").iterdir()
    assert file.resolve().is_relative_to(media / "uploads") and file.suffix == ".csv"


@pytest.mark.parametrize(
    ("name", "kept_as"),
    [
        ("\U0001f600.csv", "texts.csv"),
        ("\u8a9e" * 110 + ".csv", "\u8a9e" * 50 + ".csv"),
        ("Films 2.TSV", "Films_2.TSV"),
    ],
)
def test_any_name_fits_on_any_disk(alice: User, team: Team, name: str, kept_as: str) -> None:
    assert uploading.keep(alice, None, data(team, name)).details.file == kept_as


def test_only_its_user_finds_it(alice: User, bob: User, team: Team) -> None:
    kept = uploading.keep(alice, None, data(team))
    with pytest.raises(Http404):
        uploading.find(bob, kept.token)


def test_what_is_discarded_is_gone(alice: User, team: Team, media: Path) -> None:
    kept = uploading.keep(alice, None, data(team))
    kept.discard()
    kept.discard()
    with pytest.raises(Http404):
        uploading.find(alice, kept.token)
    assert list((media / "uploads").iterdir()) == []


def test_uploads_that_nobody_came_back_for_go_with_the_next(alice: User, team: Team) -> None:
    old, young = uploading.keep(alice, None, data(team)), uploading.keep(alice, None, data(team))
    yesterday = time.time() - uploading.KEPT_SECONDS - 60
    _left_since(yesterday, old)
    uploading.keep(alice, None, data(team))
    assert not old.folder.exists() and young.folder.exists()


def test_what_an_import_waits_for_or_still_comes_in_parts_is_not_discarded(alice: User, team: Team) -> None:
    waited_for, done = uploading.keep(alice, None, data(team)), uploading.keep(alice, None, data(team))
    coming, left = (resuming.begin(alice, team, None, "a.csv", 100, "", True) for _ in range(2))
    for upload, state in ((waited_for, Import.State.WAITING), (done, Import.State.DONE)):
        Import.objects.create(team=team, upload=upload.name, file="a.csv", asked={}, state=state)
    _left_since(time.time() - uploading.KEPT_SECONDS - 60, waited_for, done, coming, left)
    resuming.append(coming, 0, b"text")
    discard_uploads()
    assert [upload.folder.exists() for upload in (waited_for, done, coming, left)] == [True, False, True, False]


def _left_since(time: float, *uploads: uploading.Upload) -> None:
    for upload in uploads:
        for path in (upload.folder, *upload.folder.rglob("*")):
            os.utime(path, (time, time))


def test_a_dataset_that_was_named_is_remembered(alice: User, team: Team) -> None:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films")
    assert uploading.keep(alice, dataset, data(team)).into(alice) == dataset


def test_who_left_the_team_cannot_go_on(alice: User, team: Team) -> None:
    kept = uploading.keep(alice, None, data(team))
    alice.memberships.all().delete()
    with pytest.raises(Http404):
        kept.team(alice)


def test_one_account_keeps_so_many_files_here_and_no_more(
    alice: User, eve: User, team: Team, monkeypatch: pytest.MonkeyPatch, media: Path
) -> None:
    monkeypatch.setattr(uploading, "MOST_OF_A_USER", 2)
    first = uploading.keep(alice, None, data(team))
    resuming.begin(alice, team, None, "films.csv", 10, "", True)
    with pytest.raises(uploading.TooManyUploads, match="You have 2 files here.*discard"):
        uploading.keep(alice, None, data(team))
    with pytest.raises(uploading.TooManyUploads, match="You have 2 files here.*discard"):
        resuming.begin(alice, team, None, "films.csv", 10, "", True)
    assert len(list((media / "uploads").iterdir())) == 2, "of what is refused nothing stays"
    uploading.keep(eve, None, data(team))
    first.drop()
    uploading.keep(alice, None, data(team))


def test_so_does_a_team(alice: User, eve: User, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "MOST_OF_A_TEAM", 1)
    kept = uploading.keep(alice, None, data(team))
    with pytest.raises(uploading.TooManyUploads, match="The team has 1 files here"):
        uploading.keep(eve, None, data(team))
    kept.discard()
    uploading.keep(eve, None, data(team))


def test_what_was_abandoned_makes_room(alice: User, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "MOST_OF_A_USER", 1)
    old = resuming.begin(alice, team, None, "films.csv", 10, "", True)
    long_ago = time.time() - uploading.KEPT_SECONDS - 60
    for path in (old.folder, *old.folder.rglob("*")):
        os.utime(path, (long_ago, long_ago))
    uploading.keep(alice, None, data(team))


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_than_so_many_are_kept(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch, media: Path
) -> None:
    monkeypatch.setattr(uploading, "MOST_OF_A_USER", 3)

    def begin() -> None:
        with suppress(uploading.TooManyUploads):
            resuming.begin(alice, team, None, "films.csv", 10, "", True)

    assert at_once(*[begin] * 8) == [""] * 8
    assert len(list((media / "uploads").iterdir())) <= 3


class Full:
    """A disk that is full after so many bytes."""

    def __init__(self, after: int) -> None:
        self.left, self.real = after, os.write

    def __call__(self, file: int, part: bytes) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.real(file, bytes(part[: self.left]))
        self.left -= written
        return written


def test_of_a_part_for_which_no_room_is_left_nothing_stays(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = resuming.begin(alice, team, None, "films.csv", 10, "", True)
    resuming.append(upload, 0, b"text")
    monkeypatch.setattr("materials.resuming.os.write", Full(after=3))
    with pytest.raises(OSError, match="No space left"):
        resuming.append(upload, 4, b",label")
    monkeypatch.undo()
    assert resuming.append(upload, 4, b",label").whole and upload.path.read_bytes() == b"text,label"
