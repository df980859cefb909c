"""An uploaded file, kept between its preview and its import: in a folder of its own that only its user finds.

Web and worker processes see the same folder: on several machines it is a shared one.
"""

import json
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.text import get_valid_filename

from accounts.access import editable_teams, get_editable
from accounts.models import Team, User
from materials.models import Dataset, Import
from materials.reading import Table, open_table

KEPT_SECONDS = 24 * 3600
# Files that are here at once, begun or waiting to be imported: each may be as large as MAX_UPLOAD_MEGABYTES.
MOST_OF_A_USER, MOST_OF_A_TEAM = 25, 100
DETAILS = "details.json"
REJECTED = "rejected.csv"
# File systems allow 255 bytes a name, and a character may take four.
LONGEST_STEM, LONGEST_ENDING = 50, 10


class UploadGone(Exception):
    """Nobody came back for it in time, or it was discarded."""

    def __init__(self) -> None:
        super().__init__("This upload is no longer here: choose the file again.")


class TooManyUploads(Exception):
    """The disk is everybody's."""

    def __init__(self, who: str, most: int) -> None:
        super().__init__(
            f"{who} {most} files here that are not imported yet, and no more are taken at once: import or discard "
            f"some of them first. What nobody comes back for goes after {KEPT_SECONDS // 3600} hours."
        )


@dataclass(frozen=True)
class Details:
    file: str
    team: int
    dataset: int | None
    encoding: str
    quoting: bool


@dataclass(frozen=True)
class Upload:
    token: str
    folder: Path
    details: Details

    def table(self) -> Table:
        """FileError where the file cannot be read."""
        return open_table(self.path, self.details.encoding, self.details.quoting)

    @property
    def path(self) -> Path:
        return self.folder / "file" / self.details.file

    def team(self, user: User) -> Team:
        return get_object_or_404(editable_teams(user), pk=self.details.team)

    def into(self, user: User) -> Dataset | None:
        """The dataset that the texts are for, if it was there before. 404 or 403 as for its page."""
        if self.details.dataset is None:
            return None
        return get_editable(Dataset.objects.select_related("team"), user, pk=self.details.dataset)

    @property
    def rejected(self) -> Path:
        return self.folder / REJECTED

    @property
    def name(self) -> str:
        """Of its folder: what a worker process finds it by."""
        return self.folder.name

    def drop(self) -> None:
        """The file goes. That it was here is kept a while, for the back button and second clicks."""
        shutil.rmtree(self.folder / "file", ignore_errors=True)
        self.rejected.unlink(missing_ok=True)

    @contextmanager
    def rejecting(self) -> Iterator[TextIO]:
        """Open for the list of rejected rows, which replaces that of the try before."""
        with self.rejected.open("w", encoding="utf-8", newline="") as file:
            yield file

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def keep(user: User, into: Dataset | None, data: Mapping[str, Any]) -> Upload:
    """`data` is the cleaned data of an `UploadForm`. TooManyUploads; whatever goes wrong, nothing of it stays."""
    discard_old()
    token, file = secrets.token_urlsafe(16), data["file"]
    folder = _folder(user, token)
    details = Details(
        file=stored_name(file.name),
        team=data["team"].pk,
        dataset=into.pk if into else None,
        encoding=data["encoding"],
        quoting=not data["plain_quotes"],
    )
    upload = Upload(token, folder, details)
    try:
        upload.path.parent.mkdir(parents=True)
        (folder / DETAILS).write_text(json.dumps(asdict(details)))
        # After its own place is made, so that of many at once none finds room that another takes.
        _refuse_too_many(user, details.team)
        with upload.path.open("wb") as out:
            out.writelines(file.chunks())
    except BaseException:
        upload.discard()
        raise
    return upload


def _refuse_too_many(user: User, team: int) -> None:
    """What was imported has given its file away."""
    here = [folder for folder in _root().glob("*") if (folder / "file").is_dir()]
    if sum(folder.name.startswith(f"{user.pk}-") for folder in here) > MOST_OF_A_USER:
        raise TooManyUploads("You have", MOST_OF_A_USER)
    if sum(_team_of(folder) == team for folder in here) > MOST_OF_A_TEAM:
        raise TooManyUploads("The team has", MOST_OF_A_TEAM)


def _team_of(folder: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int(json.loads((folder / DETAILS).read_text())["team"])
    return None


def stored_name(name: str) -> str:
    """Close to its own, which says what kind of file it is, and short enough for any disk."""
    path = Path(name)
    stem = get_valid_filename(f"{path.stem[:LONGEST_STEM]}_").strip("._")
    return f"{stem or 'texts'}{_ending(path.suffix)}"


def _ending(suffix: str) -> str:
    return "".join(character for character in suffix[:LONGEST_ENDING] if character == "." or character.isalnum())


def find(user: User, token: str) -> Upload:
    """404 for an upload that is gone, or another user's."""
    try:
        return open_upload(_folder(user, token).name)
    except UploadGone as error:
        raise Http404(str(error)) from None


def open_upload(name: str) -> Upload:
    """By the name of its folder. UploadGone where there is none."""
    folder = _root() / name
    try:
        details = Details(**json.loads((folder / DETAILS).read_text()))
    except OSError:
        raise UploadGone from None
    return Upload(name.partition("-")[2], folder, details)


def _folder(user: User, token: str) -> Path:
    return _root() / f"{user.pk}-{token}"


def _root() -> Path:
    return settings.MEDIA_ROOT / "uploads"


def discard_old() -> None:
    """Uploads that nobody came back for, whole or in part. One that an import still waits for stays."""
    since = time.time() - KEPT_SECONDS
    old = {folder.name for folder in _root().glob("*") if _touched(folder) < since}
    waiting = Import.objects.filter(state=Import.State.WAITING, upload__in=old)
    for name in old - set(waiting.values_list("upload", flat=True)):
        shutil.rmtree(_root() / name, ignore_errors=True)


def _touched(folder: Path) -> float:
    """When a byte last came: parts change the time of their file alone."""
    times = [0.0]
    with suppress(FileNotFoundError):  # Somebody discards it just now.
        for path in chain([folder], folder.rglob("*")):
            times.append(path.stat().st_mtime)
    return max(times)
