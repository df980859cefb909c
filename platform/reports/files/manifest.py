"""MANIFEST.sha256: the hash of every other file, in the form that `sha256sum --check` reads."""

from collections.abc import Iterable
from hashlib import sha256

from reports.files.kind import File, text_file

NAME = "MANIFEST.sha256"
ABOUT = "SHA-256 of every other file; `sha256sum --check MANIFEST.sha256` tells whether all are as they were written."


def list_all(digests: Iterable[tuple[str, str]]) -> File:
    return text_file(NAME, "".join(f"{digest}  {name}\n" for name, digest in sorted(digests)))


def digest_of(file: File) -> tuple[str, str]:
    return file.name, sha256(file.content).hexdigest()
