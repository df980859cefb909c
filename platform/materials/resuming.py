"""A file that comes in parts: after a broken connection it goes on where the disk ends, and no byte counts twice."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from django.core.files.base import ContentFile

from accounts.models import Team, User
from materials import uploading
from materials.models import Dataset
from materials.uploading import Upload

SIZE = "size"
PART_BYTES = 8 * 2**20
READ_AT_ONCE = 2**20


class MisplacedPart(Exception):
    """The part does not begin where the file ends."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"The file has {offset} bytes so far: send what follows, from there.")


class OverlongPart(Exception):
    """The part goes beyond the size that the file was said to have."""


@dataclass(frozen=True)
class Arrived:
    offset: int
    size: int

    @property
    def whole(self) -> bool:
        return self.offset == self.size


def begin(user: User, team: Team, into: Dataset | None, name: str, size: int, encoding: str, quoting: bool) -> Upload:
    """A place for a file of so many bytes. TooManyUploads."""
    empty = {"file": ContentFile(b"", name), "team": team, "encoding": encoding, "plain_quotes": not quoting}
    upload = uploading.keep(user, into, empty)
    (upload.folder / SIZE).write_text(str(size))
    return upload


def arrived(upload: Upload) -> Arrived:
    """A file that came by the pages is whole."""
    offset = upload.path.stat().st_size if upload.path.exists() else 0
    expected = upload.folder / SIZE
    return Arrived(offset, int(expected.read_text()) if expected.exists() else offset)


def append(upload: Upload, offset: int, part: bytes) -> Arrived:
    """On disk once this returns; else nothing of it is: MisplacedPart, OverlongPart, or OSError of a full disk."""
    with _alone(upload) as file:
        before = arrived(upload)
        if offset != before.offset:
            raise MisplacedPart(before.offset)
        if offset + len(part) > before.size:
            raise OverlongPart(f"The file was said to have {before.size} bytes, and this part ends beyond them.")
        try:
            _write(file.fileno(), part)
        except OSError:
            os.ftruncate(file.fileno(), before.offset)
            raise
    return arrived(upload)


def _write(file: int, part: bytes) -> None:
    """Past all buffers, which would write again what is to be taken back."""
    left = memoryview(part)
    while left:
        left = left[os.write(file, left) :]
    os.fsync(file)


def sha256_of(upload: Upload) -> str:
    digest = hashlib.sha256()
    for piece in pieces(upload):
        digest.update(piece)
    return digest.hexdigest()


def pieces(upload: Upload) -> Iterator[bytes]:
    with upload.path.open("rb") as file:
        while piece := file.read(READ_AT_ONCE):
            yield piece


@contextmanager
def _alone(upload: Upload) -> Iterator[BinaryIO]:
    """Two parts at once would both find the same end."""
    with upload.path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
