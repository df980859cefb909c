"""A report's files put into a folder: only once all are written, and with none left over of an older report."""

import tempfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from reports.files.kind import File
from reports.files.manifest import NAME


def shelve(files: Iterable[File], out: Path) -> list[Path]:
    """Write the files below `out`. Of an older report's, those go that nobody has changed since.

    Raises OSError where the folder cannot be written; what stood in it stands then as it was.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".writing-", dir=out) as beside:
        names = [_write(file, Path(beside)) for file in files]
        for name in _listed(out) - set(names):
            (out / name).unlink()
        for name in names:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(beside) / name).replace(out / name)
    return [out / name for name in names]


def _write(file: File, folder: Path) -> str:
    path = folder / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    return file.name


def _listed(out: Path) -> set[str]:
    """Of the files that the folder's manifest lists, those that are as it says."""
    manifest = out / NAME
    lines = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    return {name for name, digest in listed.items() if _is_ours(out, name, digest)}


def _is_ours(out: Path, name: str, digest: str) -> bool:
    path = out / name
    inside = path.resolve().is_relative_to(out.resolve())
    return inside and path.is_file() and sha256(path.read_bytes()).hexdigest() == digest
