"""A whole Peekaword in one file, and back: the database as of one moment, and the files beside it.

A tar with `database.dump` (pg_dump's own format), `media/...` and, last, a manifest with the size and SHA-256 of each.
Keys are not in it: whoever finds a backup can still forge no link. It knows them by a fingerprint, so that a restore
under others can say what that means.
"""

import hmac
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.dumping import DumpError, dump, put_back, undo

FORMAT = "peekaword-backup/1"
MANIFEST, DUMP, MEDIA = "manifest.json", "database.dump", "media"
KEYS = ("SECRET_KEY", "WORKER_ID_KEY")
CHUNK = 1 << 20
# Rows that a fresh database has by its migrations alone.
OF_MIGRATIONS = {"contenttypes.ContentType", "auth.Permission", "auth.Group", "sites.Site", "sessions.Session"}


class BackupError(Exception):
    """Why a backup cannot be made or put back, in a sentence."""


@dataclass(frozen=True)
class Backup:
    """One whose every byte is as its manifest says."""

    path: Path
    manifest: dict[str, Any]

    def other_keys(self) -> list[str]:
        """The keys that were others when it was made."""
        return [name for name, known in _fingerprints().items() if self.manifest["keys"].get(name) != known]


def back_up(out: Path) -> int:
    """Write `out`, readable by nobody else, and there only once it is whole. Answers how many files are in it."""
    part = out.with_name(out.name + ".part")
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".backup-") as beside:
            dumped = Path(beside) / DUMP
            try:
                dump(dumped)
            except DumpError as error:
                raise BackupError(str(error)) from None
            part.touch(mode=0o600)
            with part.open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
                files = {name: _add(tar, path, name) for name, path in [(DUMP, dumped), *_media()]}
                _add_manifest(tar, files)
                file.flush()
                os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return len(files)


def _media() -> Iterator[tuple[str, Path]]:
    """After the dump, so that what its rows name is there; what is gone by then is named by no row for long."""
    root = Path(settings.MEDIA_ROOT)
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield f"{MEDIA}/{path.relative_to(root).as_posix()}", path


def _add(tar: tarfile.TarFile, path: Path, name: str) -> dict[str, Any] | None:
    """None where the file went away just now."""
    try:
        with path.open("rb") as file:
            info = tar.gettarinfo(arcname=name, fileobj=file)
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            reader = _Hashed(file)
            tar.addfile(info, reader)
    except FileNotFoundError:
        return None
    return {"bytes": info.size, "sha256": reader.digest.hexdigest()}


class _Hashed:
    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.digest = file, sha256()

    def read(self, size: int = -1) -> bytes:
        chunk = self.file.read(size)
        self.digest.update(chunk)
        return chunk


def _add_manifest(tar: tarfile.TarFile, files: dict[str, dict[str, Any] | None]) -> None:
    told = {
        "format": FORMAT,
        "migrations": sorted(map(list, MigrationRecorder(connection).applied_migrations())),
        "keys": _fingerprints(),
        "files": {name: facts for name, facts in files.items() if facts},
    }
    content = json.dumps(told, indent=1).encode()
    info = tarfile.TarInfo(MANIFEST)
    info.size = len(content)
    tar.addfile(info, io.BytesIO(content))


def _fingerprints() -> dict[str, str]:
    return {name: hmac.digest(getattr(settings, name).encode(), FORMAT.encode(), "sha256").hex()[:16] for name in KEYS}


def open_backup(path: Path) -> Backup:
    """BackupError where it is none, is not whole, or is of a newer Peekaword."""
    try:
        with tarfile.open(path, "r:") as tar:
            found, manifest = _read_all(tar)
    except OSError as error:
        raise BackupError(f"It cannot be read: {error.strerror or error}.") from None
    except tarfile.TarError as error:
        raise BackupError(f"It is no whole backup ({error}).") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BackupError("It has no manifest of a backup at its end: it is none, or the copy is not whole.")
    for name in sorted(found.keys() ^ manifest["files"].keys()):
        raise BackupError(f"{name[:80]} is in the backup or in its manifest, not in both.")
    for name, facts in manifest["files"].items():
        if found[name] != facts:
            raise BackupError(f"{name} is not as the manifest says: a byte was changed, or the copy is not whole.")
    unknown = {tuple(one) for one in manifest["migrations"]} - MigrationLoader(None).disk_migrations.keys()
    for app, name in sorted(one for one in unknown if one[0] in _apps()):
        raise BackupError(f"It was made by a newer Peekaword: the migration {name} of {app} is not known here.")
    return Backup(path, manifest)


def _apps() -> set[str]:
    return {config.label for config in apps.get_app_configs()}


def _read_all(tar: tarfile.TarFile) -> tuple[dict[str, dict[str, Any]], Any]:
    found: dict[str, dict[str, Any]] = {}
    manifest = None
    for member in tar:
        file = tar.extractfile(member) if member.isfile() else None
        if file is None or not _allowed(member.name) or member.name in found:
            raise BackupError(f"It holds {member.name[:80]!r}, which no backup does.")
        if member.name == MANIFEST:
            manifest = _parsed(file.read())
            continue
        digest = sha256()
        while chunk := file.read(CHUNK):
            digest.update(chunk)
        found[member.name] = {"bytes": member.size, "sha256": digest.hexdigest()}
    return found, manifest


def _allowed(name: str) -> bool:
    parts = name.split("/")
    return name in (MANIFEST, DUMP) or (parts[0] == MEDIA and len(parts) > 1 and not {"", ".", ".."} & set(parts))


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def occupied() -> str:
    """What there is that a restore would take away, in words; empty where there is nothing."""
    undo()
    tables = set(connection.introspection.table_names())
    for model in apps.get_models():
        known = f"{model._meta.app_label}.{model._meta.object_name}"
        in_use = model._meta.db_table in tables and known not in OF_MIGRATIONS and model._meta.managed
        if in_use and model._default_manager.exists():
            return f"it has {model._meta.verbose_name_plural}"
    return "there are uploaded files" if any(True for _ in _media()) else ""


def others_connected() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def restore(backup: Backup) -> None:
    """The database and the files as they were. Where putting back the database fails, all stays as it is."""
    root = Path(settings.MEDIA_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=root.parent, prefix=".restore-") as beside,
        tarfile.open(backup.path, "r:") as tar,
    ):
        tar.extractall(beside, filter="data")
        try:
            put_back(Path(beside) / DUMP)
        except DumpError as error:
            raise BackupError(f"{error}. The database is as it was.") from None
        _empty(root)
        for path in (Path(beside) / MEDIA).glob("*"):
            shutil.move(path, root / path.name)


def _empty(folder: Path) -> None:
    """Its content, not itself: it may be where a volume is mounted."""
    for path in list(folder.iterdir()):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
