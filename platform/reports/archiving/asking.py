"""Archives are made and taken in by worker processes, as files below MEDIA_ROOT that the web sees too."""

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import may_edit
from accounts.models import Team, User
from campaigns.models import Campaign
from materials import carrying
from materials.carrying import JobError, Procedure, Tell, end, give_up, send, telling, under_way
from reports.archiving.loading import import_campaign
from reports.archiving.manifest import ArchiveError
from reports.archiving.parts import PARTS, Part
from reports.archiving.writing import export_campaign
from reports.models import ArchiveJob

TASK = "reports.carry_archive"
KEPT_SECONDS = 24 * 3600
# Of one team, on their way in at once: each may be as large as MAX_ARCHIVE_MEGABYTES.
MOST_COMING = 5
DIED = f"{carrying.DIED[:-1]}: the archive may be too large for their memory or disk."
LEFT = "Whoever asked for this may not change the team's campaigns any more."
GONE = "The file is no longer here: try again."
NOTHING = "Nothing was imported."
# Every table is checked before it is taken in.
STEPS = {ArchiveJob.Kind.EXPORT: len(PARTS), ArchiveJob.Kind.IMPORT: 2 * len(PARTS)}
Kind, State = ArchiveJob.Kind, ArchiveJob.State


class TooManyArchives(Exception):
    """The disk is everybody's."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_COMING} archives of the team are being imported: wait until one of them is done.")


def ask_export(user: User, campaign: Campaign) -> ArchiveJob:
    """The export that is under way, or a new one: the campaign goes on meanwhile. Older archives of it go."""
    forget_old()
    given = {"team": campaign.team, "asked_by": user, "token": _token(), "file": f"{campaign.slug}.zip"}
    with transaction.atomic():
        job, made = ArchiveJob.objects.get_or_create(
            campaign=campaign, kind=Kind.EXPORT, state=State.WAITING, defaults=given
        )
        if made:
            _forget(exports_of(campaign).exclude(pk=job.pk))
            send(TASK, job)
    job.refresh_from_db()
    return job


def ask_import(user: User, team: Team, chunks: Iterable[bytes], name: str) -> ArchiveJob:
    """The archive of these bytes is taken in as the team's, whose editor the user is. TooManyArchives."""
    forget_old()
    _refuse_too_many(team)
    job = ArchiveJob(kind=Kind.IMPORT, team=team, asked_by=user, token=_token(), file=name[:255])
    path = file_of(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("wb") as out:
            out.writelines(chunks)
        with transaction.atomic():
            Team.objects.select_for_update(no_key=True).get(pk=team.pk)
            _refuse_too_many(team)
            job.save()
            send(TASK, job)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    job.refresh_from_db()
    return job


def _refuse_too_many(team: Team) -> None:
    if under_way(ArchiveJob.objects.filter(team=team, kind=Kind.IMPORT)).count() >= MOST_COMING:
        raise TooManyArchives


def exports_of(campaign: Campaign) -> QuerySet[ArchiveJob]:
    """The latest first."""
    return ArchiveJob.objects.filter(campaign=campaign, kind=Kind.EXPORT).order_by("-pk")


def open_export(campaign: Campaign) -> tuple[ArchiveJob, BinaryIO] | None:
    """The latest archive that is done, and its file; None where either is gone."""
    job = exports_of(campaign).filter(state=State.DONE).first()
    try:
        return (job, file_of(job).open("rb")) if job else None
    except FileNotFoundError:
        return None


def imports_of(user: User) -> QuerySet[ArchiveJob]:
    """The user's own that are under way, or that failed today."""
    recent = ArchiveJob.objects.filter(asked_by=user, kind=Kind.IMPORT, created_at__gte=_since())
    return recent.exclude(state=State.DONE).order_by("-pk")


def dismiss(user: User, pk: int) -> None:
    """Forgets an import of the user's that failed, and no other: nothing came of it, and its file is gone."""
    _forget(imports_of(user).filter(pk=pk, state=State.FAILED))


def file_of(job: ArchiveJob) -> Path:
    return _folder() / f"{job.token}.zip"


def _folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "archives"


def forget_old() -> None:
    """Archives hold what workers said: no longer than somebody needs to fetch them."""
    _forget(ArchiveJob.objects.filter(created_at__lt=_since()))
    _unlink(_strays())


def _strays() -> list[Path]:
    """Old files that no job knows of: a process was killed between the file and its row, or over one half written."""
    old = [path for path in _folder().glob("*") if _is_old(path)]
    known = set(ArchiveJob.objects.values_list("token", flat=True)) if old else set()
    return [path for path in old if path.name.partition(".")[0] not in known]


def _is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < _since().timestamp()
    except FileNotFoundError:  # It has just got its name, or is gone.
        return False


def _since() -> datetime:
    return timezone.now() - timedelta(seconds=KEPT_SECONDS)


def forget_exports(campaign_id: int) -> None:
    """Also one under way: it finds its row gone, and leaves no file."""
    _forget(ArchiveJob.objects.filter(campaign=campaign_id, kind=Kind.EXPORT))


def _forget(jobs: QuerySet[ArchiveJob]) -> None:
    with transaction.atomic():
        paths = [file_of(job) for job in jobs]
        jobs.delete()
        transaction.on_commit(lambda: _unlink(paths))


def _unlink(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _carry(job: ArchiveJob) -> None:
    if job.asked_by is None or not may_edit(job.asked_by, job.team):
        raise JobError(LEFT)
    try:
        with telling(job) as tell:
            CARRY[Kind(job.kind)](job, _counting(tell, STEPS[Kind(job.kind)]))
    except ArchiveError as error:
        raise JobError(str(error)) from error
    except FileNotFoundError as error:
        raise JobError(GONE) from error


def _export(job: ArchiveJob, told: Callable[[Part], None]) -> None:
    assert job.campaign is not None
    path = file_of(job)
    export_campaign(job.campaign, path, told, job.asked_by)
    if not end(job, State.DONE):
        path.unlink(missing_ok=True)


def _import(job: ArchiveJob, told: Callable[[Part], None]) -> None:
    path = file_of(job)
    if not path.exists():
        raise FileNotFoundError(path)
    with transaction.atomic():
        campaign = import_campaign(path, job.team, progress=told, actor=job.asked_by)
        if not end(job, State.DONE, campaign=campaign):
            transaction.set_rollback(True)
    path.unlink(missing_ok=True)


def _fail(job: ArchiveJob, why: str) -> bool:
    file_of(job).unlink(missing_ok=True)
    return give_up(job, f"{why} {NOTHING}" if job.kind == Kind.IMPORT else why)


def _counting(tell: Tell, total: int) -> Callable[[Part], None]:
    done = count()
    return lambda part: tell(part.name.replace("_", " ").capitalize(), next(done), total)


def _token() -> str:
    return secrets.token_urlsafe(16)


CARRY = {Kind.EXPORT: _export, Kind.IMPORT: _import}
ARCHIVING = Procedure(TASK, ArchiveJob, _carry, "done", DIED, _fail, ("team", "campaign__team", "asked_by"))
