"""What an archive says of itself: its format, and of each file the rows, the size, the SHA-256 and what a row has."""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

Facts = dict[str, Any]
FORMAT = "peekaword-campaign/1"
MANIFEST = "manifest.json"
# JSON escapes all control characters, so with these for quotes and delimiters COPY neither adds nor takes a byte.
CSV = r"FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02'"


class ArchiveError(Exception):
    """Why an archive cannot be made or taken in, in a sentence for its researcher."""


def manifest_of(slug: str, files: dict[str, Facts]) -> Facts:
    return {"format": FORMAT, "peekaword": _version(), "campaign": slug, "files": files}


def _version() -> str:
    try:
        return version("peekaword")
    except PackageNotFoundError:
        return "not installed"
