"""The rehearsal: judgments through the real pages, backed up and restored into another database of the real server."""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg2
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import Team
from config import dumping
from config.backing_up import BackupError, open_backup
from judging.models import Judgment
from tests.reports.rehearsed import launched, rehearse

ROOT = Path(__file__).resolve().parents[2]
# On the restored database: a worker who comes anew gets an item, and the answer is kept beside the others.
GO_ON = """
import json, sys
sys.path[:0] = ['.', 'platform']
import django
django.setup()
from django.conf import settings
from django.test import Client
from campaigns.models import Campaign
from judging.models import Judgment
from tests.judging.building import worker
from tests.judging.walking import page_of, press
settings.ALLOWED_HOSTS = ['*']
before = list(Judgment.objects.order_by('pk').values_list('pk', 'answer', 'response_ms', 'shown'))
client, campaign = Client(), Campaign.objects.get()
new = worker(campaign, 'somebody new')
page = press(client, client.get(page_of(new)), answer='pos')
assert page.status_code == 200, page.status_code
after = list(Judgment.objects.order_by('pk').values_list('pk', flat=True))
print(json.dumps({'before': before, 'after': after}))
"""


@pytest.fixture
def other_database(_test_database_url: str) -> Iterator[str]:
    """Empty, on the same server."""
    name = f"restored_{os.getpid()}"
    parts = urlsplit(_test_database_url)
    server = psycopg2.connect(urlunsplit(parts._replace(path="/postgres")))
    server.autocommit = True
    with server.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    yield urlunsplit(parts._replace(path=f"/{name}"))
    with server.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
    server.close()


def run(database_url: str, var: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    env = os.environ | {"DATABASE_URL": database_url, "PEEKAWORD_VAR": str(var), "HTTPS": "false"} | environment
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_it_works(team: Team, tmp_path: Path, other_database: str, settings: object) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"  # type: ignore[attr-defined]
    (tmp_path / "media" / "uploads").mkdir(parents=True)
    (tmp_path / "media" / "uploads" / "reviews.csv").write_bytes(b"text\r\n\x00fine")
    campaign = launched(team, "topk_guess", most_per_worker=2)
    rehearse(campaign, workers=3)
    told = [list(row) for row in Judgment.objects.order_by("pk").values_list("pk", "answer", "response_ms", "shown")]
    out, file = StringIO(), tmp_path / "backup.tar"
    call_command("backup", file, stdout=out)
    assert "1 uploaded files" in out.getvalue() and "keep that elsewhere" in out.getvalue()
    assert file.stat().st_mode & 0o777 == 0o600 and not list(tmp_path.glob("*.part"))

    there = tmp_path / "there"
    restored = run(other_database, there, "manage.py", "restore", str(file), SECRET_KEY="another" * 9)
    assert restored.returncode == 0, restored.stderr
    assert "the processes can start.\n" in restored.stdout
    assert "WORKER_ID_KEY is another than when the backup was made: workers who return are strangers" in restored.stdout
    assert (there / "media" / "uploads" / "reviews.csv").read_bytes() == b"text\r\n\x00fine"
    went_on = run(other_database, there, "-c", GO_ON)
    assert went_on.returncode == 0, went_on.stderr
    found = json.loads(went_on.stdout)
    assert found["before"] == told and len(told) >= 4
    assert len(found["after"]) == len(told) + 1 and found["after"][-1] > told[-1][0]


@pytest.fixture
def backup(tmp_path: Path, db: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One whose dump is none: it is looked at without a server."""
    monkeypatch.setattr("config.backing_up.dump", lambda path: path.write_bytes(b"a dump"))
    call_command("backup", tmp_path / "b.tar", stdout=StringIO())
    return tmp_path / "b.tar"


def test_a_folder_that_is_not_there_is_no_place_for_a_backup(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="disk is no folder: make it, or mount its disk"):
        call_command("backup", tmp_path / "disk" / "b.tar", stdout=StringIO())
    assert not list(tmp_path.iterdir())


def with_member(path: Path, name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, "a") as tar:
        info = tarfile.TarInfo(name)
        info.size, info.type, info.linkname = len(content), kind, "/etc/passwd"
        tar.addfile(info, BytesIO(content))
    return path


def test_a_whole_backup_is_taken(backup: Path) -> None:
    assert open_backup(backup).other_keys() == []


def test_a_changed_byte_is_told_of(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes().replace(b"a dump", b"a dumb", 1))
    with pytest.raises(BackupError, match="^database.dump is not as the manifest says: a byte was changed"):
        open_backup(backup)


def test_a_cut_off_copy_is_told_of(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:1024])
    with pytest.raises(BackupError, match="no manifest of a backup at its end|no whole backup"):
        open_backup(backup)


@pytest.mark.parametrize("name", ["../x", "media/../../x", "/etc/passwd", "media", "other.txt"])
def test_other_names_are_refused(backup: Path, name: str) -> None:
    with pytest.raises(BackupError, match="which no backup does|not in both"):
        open_backup(with_member(backup, name, b"x"))


def test_links_are_refused(backup: Path) -> None:
    with pytest.raises(BackupError, match="It holds 'media/x', which no backup does"):
        open_backup(with_member(backup, "media/x", b"", tarfile.SYMTYPE))


@pytest.mark.parametrize("content", [b"", b"nothing of ours", b"x" * 2048])
def test_what_is_no_backup_is_told_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.tar").write_bytes(content)
    with pytest.raises(BackupError):
        open_backup(tmp_path / "x.tar")
    with pytest.raises(BackupError, match="^It cannot be read: No such file or directory"):
        open_backup(tmp_path / "missing.tar")


def test_a_backup_of_a_newer_version_is_refused(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.backing_up.MigrationRecorder", NewerRecorder)
    call_command("backup", backup, stdout=StringIO())
    with pytest.raises(BackupError, match="a newer Peekaword: the migration 0999_later of judging is not known here"):
        open_backup(backup)


class NewerRecorder:
    def __init__(self, _connection: object) -> None:
        pass

    def applied_migrations(self) -> dict[tuple[str, str], object]:
        return {("judging", "0999_later"): None, ("an_app_that_left", "0001_initial"): None}


@pytest.mark.django_db
def test_a_restore_waits_for_nobody_who_works_on_the_database(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.management.commands.restore.others_connected", lambda: 2)
    with pytest.raises(CommandError, match="2 other connections work on .* stop the web and worker processes first"):
        call_command("restore", backup)


@pytest.mark.django_db
def test_what_is_there_is_given_up_only_by_its_name(backup: Path, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.management.commands.restore.others_connected", lambda: 0)
    name = connection.settings_dict["NAME"]
    with pytest.raises(CommandError, match=f"{name} is not empty: it has teams. To .* say --replace {name}. Nothing"):
        call_command("restore", backup)
    with pytest.raises(CommandError, match=f"--replace yes: the database is called {name}.") as told:
        call_command("restore", backup, replace="yes")
    assert told.value.returncode == 2
    with pytest.raises(CommandError, match="pg_restore failed: .* The database is as it was. Nothing was restored"):
        call_command("restore", backup, replace=name)
    team.refresh_from_db()


@pytest.mark.django_db(transaction=True)
def test_where_the_dump_cannot_be_put_back_all_stays_as_it_was(team: Team, tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(b"no dump")
    with pytest.raises(dumping.DumpError, match="^pg_restore failed: "):
        dumping.put_back(tmp_path / "dump")
    team.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'before_restore'")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db
def test_a_program_that_is_too_old_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumping, "_candidates", lambda program: iter([Path("/usr/bin/old")]))
    monkeypatch.setattr(dumping, "_major", lambda path: 9)
    with pytest.raises(dumping.DumpError, match="there is 9. Install postgresql-client-1[0-9]"):
        dumping._find("pg_dump")
