"""Imports as jobs: exactly once, all or nothing, whatever dies on the way."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import AuditEntry, Team, User
from materials import bringing, carrying, uploading
from materials.bringing import IMPORTING, Asked, ask_import, forget, import_of, imports_of, rows_read
from materials.carrying import carry_out, unfinished
from materials.checking import Columns
from materials.models import Dataset, Import, Text
from tests.materials.actors import films

GOOD = b"text,label\nA fine film,pos\nA dull film,neg\n"
MIXED = GOOD + b",pos\n"
ASKED = Asked("Films", "en", Columns("text", "label"), [])


@pytest.fixture(autouse=True)
def media(settings: object, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]


def kept(user: User, team: Team, content: bytes = GOOD, into: Dataset | None = None) -> uploading.Upload:
    file = SimpleUploadedFile("films.csv", content)
    return uploading.keep(user, into, {"file": file, "team": team, "encoding": "", "plain_quotes": False})


def asked(user: User, team: Team, content: bytes = GOOD) -> Import:
    return ask_import(user, kept(user, team, content), ASKED)


def test_it_works(alice: User, team: Team) -> None:
    row = asked(alice, team)
    assert (row.state, row.rows, unfinished(IMPORTING)) == ("waiting", 2, [row.pk])
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    dataset = Dataset.objects.get()
    assert (row.state, row.taken, row.rejected, row.dataset, row.tries) == ("done", 2, 0, dataset, 1)
    assert (dataset.name, dataset.language, dataset.texts.count(), rows_read(row)) == ("Films", "en", 2, None)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.actor, entry.detail) == ("imported", alice, {"file": "films.csv", "texts": 2})


def test_a_task_that_comes_twice_changes_nothing(alice: User, team: Team) -> None:
    row = asked(alice, team)
    carry_out(IMPORTING, row.pk)
    carry_out(IMPORTING, row.pk)
    assert Text.objects.count() == 2 and Import.objects.get().tries == 1 and not unfinished(IMPORTING)


def test_rejected_rows_leave_nothing_until_the_rest_is_accepted(alice: User, team: Team) -> None:
    upload = kept(alice, team, MIXED)
    row = ask_import(alice, upload, ASKED)
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert (row.state, row.taken, row.rejected, row.first) == ("rejected", 2, 1, [[4, "text", "is empty", ""]])
    assert not Dataset.objects.exists() and upload.rejected.exists()
    again = ask_import(alice, upload, Asked(**{**vars(ASKED), "accept_rest": True}))
    assert again == row and again.under_way
    carry_out(IMPORTING, row.pk)
    assert Import.objects.get().state == "done" and Text.objects.count() == 2


def test_what_dies_half_way_leaves_nothing_and_is_taken_up_again(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = asked(alice, team)

    def die(*args: object) -> None:
        raise SystemExit("killed")

    with monkeypatch.context() as patched:
        patched.setattr(bringing, "_settle", die)
        with pytest.raises(SystemExit):
            carry_out(IMPORTING, row.pk)
    assert not Dataset.objects.exists() and unfinished(IMPORTING) == [row.pk]
    carry_out(IMPORTING, row.pk)
    assert Text.objects.count() == 2 and Import.objects.get().tries == 2


def test_a_file_that_kills_every_worker_is_given_up(alice: User, team: Team) -> None:
    row = asked(alice, team)
    Import.objects.update(tries=carrying.MOST_TRIES)
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", bringing.DIED) and not Dataset.objects.exists()
    assert "3 times: the file may be too large" in row.error


def test_what_is_taken_back_while_it_is_under_way_writes_nothing(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = kept(alice, team)
    row = ask_import(alice, upload, ASKED)
    found = uploading.open_upload

    def taken_back(name: str) -> uploading.Upload:
        forget(upload)
        return found(name)

    monkeypatch.setattr(bringing, "open_upload", taken_back)
    carry_out(IMPORTING, row.pk)
    assert not Text.objects.exists() and not Import.objects.exists() and not AuditEntry.objects.exists()


def test_a_file_that_is_broken_half_way_says_where(alice: User, team: Team) -> None:
    row = asked(alice, team, GOOD + b'"never closed,pos\n')
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert row.state == "failed" and "broken quotes" in row.error and not Dataset.objects.exists()


def test_an_upload_that_is_gone_is_told(alice: User, team: Team) -> None:
    upload = kept(alice, team)
    row = ask_import(alice, upload, ASKED)
    upload.discard()
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert row.state == "failed" and "choose the file again" in row.error


def test_texts_for_a_dataset_that_is_deleted_meanwhile_make_no_other(alice: User, team: Team) -> None:
    dataset = films(team, {"pos": 1})
    row = ask_import(alice, kept(alice, team, into=dataset), ASKED)
    dataset.delete()
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert row.state == "failed" and "has been deleted" in row.error and not Dataset.objects.exists()


def test_who_left_the_team_meanwhile_changes_nothing(alice: User, team: Team) -> None:
    row = asked(alice, team)
    alice.memberships.all().delete()
    carry_out(IMPORTING, row.pk)
    row.refresh_from_db()
    assert row.state == "failed" and "may not change" in row.error and not Dataset.objects.exists()


def test_without_a_queue_it_fails_at_once(
    alice: User, team: Team, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    monkeypatch.setattr(carrying, "enqueue", lambda task, ids: False)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        row = asked(alice, team)
    row.refresh_from_db()
    assert row.state == "failed" and "queue of tasks cannot be reached" in row.error


def test_only_what_is_not_done_is_listed_and_only_to_who_asked(alice: User, bob: User, team: Team) -> None:
    row, upload = asked(alice, team), kept(alice, team)
    done = ask_import(alice, upload, ASKED)
    carry_out(IMPORTING, done.pk)
    assert list(imports_of(alice)) == [row] and not imports_of(bob).exists()
    assert import_of(upload) == done
