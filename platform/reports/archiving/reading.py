"""An archive looked at before anything of it is believed: its names, its manifest, and every byte of its files."""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from reports.archiving.manifest import FORMAT, MANIFEST, ArchiveError, Facts
from reports.archiving.parts import PARTS, Part, keys

MOST_MANIFEST_BYTES = 10**6
CHUNK = 1 << 20
# Lines of JSON shrink to a tenth or a fiftieth; whatever shrinks more was made to fill a disk.
MOST_SHRUNK, NEVER_A_BOMB = 300, 64 << 20
FACTS: dict[str, type] = {"rows": int, "bytes": int, "sha256": str, "keys": list}


@dataclass(frozen=True)
class Archive:
    """One whose every byte is as its manifest says."""

    zip: zipfile.ZipFile
    files: dict[str, Facts]

    @contextmanager
    def open(self, part: Part) -> Iterator[IO[bytes]]:
        with self.zip.open(part.file) as file:
            yield file


@contextmanager
def open_archive(source: Path | IO[bytes], progress: Callable[[Part], None] = lambda _part: None) -> Iterator[Archive]:
    """ArchiveError where it is no archive of a campaign, is of another version, or differs from its manifest."""
    try:
        with zipfile.ZipFile(source) as opened:
            files = _manifest(opened)
            _check_names(opened, files)
            _check_sizes(opened, files)
            for part in PARTS:
                progress(part)
                _check_bytes(opened, part, files[part.file])
            yield Archive(opened, files)
    except OSError as error:
        raise ArchiveError(f"It cannot be read: {error.strerror or error}.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        # Compressed in a way that we do not know, or with a password.
        raise ArchiveError(f"It is no whole ZIP file ({error}): copy or download it again.") from None


def _manifest(opened: zipfile.ZipFile) -> dict[str, Facts]:
    if MANIFEST not in opened.namelist():
        raise ArchiveError(f"It has no {MANIFEST}: it is no archive of a campaign.")
    with opened.open(MANIFEST) as file:
        text = file.read(MOST_MANIFEST_BYTES + 1)
    try:
        told = json.loads(text[:MOST_MANIFEST_BYTES])
    except (ValueError, RecursionError):
        raise ArchiveError(f"Its {MANIFEST} is no JSON.") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        found = told.get("format") if isinstance(told, dict) else None
        raise ArchiveError(f"Its format is {str(found)[:60]!r}; this Peekaword takes {FORMAT!r}.")
    files = told.get("files")
    if not isinstance(files, dict) or not all(map(_complete, files.values())):
        raise ArchiveError(f"Its {MANIFEST} does not say rows, bytes, sha256 and keys of every file.")
    return files


def _complete(facts: Any) -> bool:
    return isinstance(facts, dict) and all(type(facts.get(name)) is kind for name, kind in FACTS.items())


def _check_names(opened: zipfile.ZipFile, files: dict[str, Facts]) -> None:
    """Exactly ours, each once: nothing is ever written under a name that an archive says."""
    wanted, found = {part.file for part in PARTS}, opened.namelist()
    for name in sorted(wanted - files.keys()) or sorted(wanted - set(found)):
        raise ArchiveError(f"It has no {name}.")
    for name in [*sorted(files.keys() - wanted), *found]:
        if name not in wanted | {MANIFEST} or found.count(name) > 1:
            raise ArchiveError(f"It holds {name[:80]!r}, which no archive of this version does, or does twice.")
    for part in PARTS:
        for unknown in sorted(set(map(str, files[part.file]["keys"])) - set(keys(part))):
            raise ArchiveError(
                f"{part.file}: this Peekaword knows no {unknown[:60]!r}; the archive was made by a newer one."
            )


def _check_sizes(opened: zipfile.ZipFile, files: dict[str, Facts]) -> None:
    """Before anything is unpacked. What a file turns out to be is held against this too."""
    total = sum(facts["bytes"] for facts in files.values())
    if total > settings.MAX_ARCHIVE_MEGABYTES * 10**6:
        raise ArchiveError(
            f"It unpacks to {total / 1e6:,.0f} MB; MAX_ARCHIVE_MEGABYTES allows {settings.MAX_ARCHIVE_MEGABYTES:,}."
        )
    for part in PARTS:
        entry, facts = opened.getinfo(part.file), files[part.file]
        if entry.file_size != facts["bytes"]:
            raise ArchiveError(f"{part.file} has {entry.file_size:,} bytes; the manifest says {facts['bytes']:,}.")
        if entry.file_size > max(NEVER_A_BOMB, MOST_SHRUNK * entry.compress_size):
            raise ArchiveError(f"{part.file} unpacks to more than {MOST_SHRUNK} times its size: it is no campaign's.")


def _check_bytes(opened: zipfile.ZipFile, part: Part, facts: Facts) -> None:
    digest, rows, size = sha256(), 0, 0
    with opened.open(part.file) as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            rows, size = rows + chunk.count(b"\n"), size + len(chunk)
            if size > facts["bytes"]:
                break
    if digest.hexdigest() != facts["sha256"] or size != facts["bytes"]:
        raise ArchiveError(f"{part.file} is not as the manifest says: a byte was changed, or the copy is not whole.")
    if rows != facts["rows"] or (part.single and rows != 1):
        raise ArchiveError(f"{part.file} has {rows:,} rows; the manifest says {facts['rows']:,}.")
