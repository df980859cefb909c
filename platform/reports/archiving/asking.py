"""Archives are made and taken in by worker processes: what takes long survives a closed tab and a killed worker.

The web keeps one row of what is asked, and the file below MEDIA_ROOT that both sides see. A campaign that is taken in
and the end of its row are written in one transaction, so a killed worker leaves all or nothing, and the task that comes
again sees which. How far a job is, stands in the cache: the database shows nothing of a transaction under way.
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.access import may_edit
from accounts.models import Team, User
from campaigns.models import Campaign
from materials.claiming import claimed
from materials.enqueuing import enqueue
from reports.archiving.loading import import_campaign
from reports.archiving.manifest import ArchiveError
from reports.archiving.parts import PARTS, Part
from reports.archiving.writing import export_campaign
from reports.models import ArchiveJob

TASK = "reports.carry_archive"
KEPT_SECONDS = 24 * 3600
MOST_TRIES = 3
# Of one team, on their way in at once: each may be as large as MAX_ARCHIVE_MEGABYTES.
MOST_COMING = 5
NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can do it: try again once the queue is back."
DIED = f"Worker processes died over it, {MOST_TRIES} times: the archive may be too large for their memory or disk."
LEFT = "Whoever asked for this may not change the team's campaigns any more."
GONE = "The file is no longer here: try again."
NOTHING = "Nothing was imported."
# What is claimed under this number is an archive.
LOCKS = 7_264
# Every table is checked before it is taken in.
STEPS = {ArchiveJob.Kind.EXPORT: len(PARTS), ArchiveJob.Kind.IMPORT: 2 * len(PARTS)}
Kind, State = ArchiveJob.Kind, ArchiveJob.State


class TooManyArchives(Exception):
    """The disk is everybody's."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_COMING} archives of the team are being imported: wait until one of them is done.")


@dataclass(frozen=True)
class Progress:
    """Of a job under way: tables done of all, and the one at hand. `label` is empty until a worker process is at it."""

    done: int
    total: int
    label: str


def ask_export(user: User, campaign: Campaign) -> ArchiveJob:
    """The export that is under way, or a new one: the campaign goes on meanwhile. Older archives of it go."""
    forget_old()
    given = {"team": campaign.team, "started_by": user, "token": _token(), "file": f"{campaign.slug}.zip"}
    with transaction.atomic():
        job, made = ArchiveJob.objects.get_or_create(
            campaign=campaign, kind=Kind.EXPORT, state=State.WAITING, defaults=given
        )
        if made:
            _forget(exports_of(campaign).exclude(pk=job.pk))
            transaction.on_commit(lambda: _send(job.pk))
    job.refresh_from_db()
    return job


def ask_import(user: User, team: Team, chunks: Iterable[bytes], name: str) -> ArchiveJob:
    """The archive of these bytes is taken in as the team's, whose editor the user is. TooManyArchives."""
    forget_old()
    _refuse_too_many(team)
    job = ArchiveJob(kind=Kind.IMPORT, team=team, started_by=user, token=_token(), file=name[:255])
    path = file_of(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("wb") as out:
            out.writelines(chunks)
        with transaction.atomic():
            Team.objects.select_for_update(no_key=True).get(pk=team.pk)
            _refuse_too_many(team)
            job.save()
            transaction.on_commit(lambda: _send(job.pk))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    job.refresh_from_db()
    return job


def _refuse_too_many(team: Team) -> None:
    if ArchiveJob.objects.filter(team=team, kind=Kind.IMPORT, state=State.WAITING).count() >= MOST_COMING:
        raise TooManyArchives


def _send(pk: int) -> None:
    if not enqueue(TASK, [pk]):
        _end(pk, State.FAILED, error=NO_QUEUE)


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
    recent = ArchiveJob.objects.filter(started_by=user, kind=Kind.IMPORT, created_at__gte=_since())
    return recent.exclude(state=State.DONE).order_by("-pk")


def progress_of(job: ArchiveJob) -> Progress:
    done, label = cache.get(_key(job)) or (0, "")
    return Progress(done, STEPS[Kind(job.kind)], label)


def file_of(job: ArchiveJob) -> Path:
    return _folder() / f"{job.token}.zip"


def _folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "archives"


def unfinished() -> list[int]:
    """What a killed worker or an emptied queue left."""
    return list(ArchiveJob.objects.filter(state=State.WAITING).values_list("pk", flat=True))


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


def carry_out(pk: int) -> None:
    """The task: nothing where it is done or forgotten. ClaimedElsewhere while another process is at it."""
    with claimed(LOCKS, pk):
        waiting = ArchiveJob.objects.filter(pk=pk, state=State.WAITING)
        if not waiting.update(tries=F("tries") + 1):
            return
        job = waiting.select_related("team", "campaign__team", "started_by").get()
        try:
            _carry_out(job)
        except DatabaseError:
            raise  # It is tried again.
        except ArchiveError as error:
            _fail(job, str(error))
        except FileNotFoundError:
            _fail(job, GONE)
        except Exception as error:
            _fail(job, f"It could not be done: {error}")
            raise


def _carry_out(job: ArchiveJob) -> None:
    refusal = _refusal(job)
    if refusal:
        _fail(job, refusal)
    elif job.kind == Kind.EXPORT:
        _export(job)
    else:
        _import(job)


def _refusal(job: ArchiveJob) -> str:
    """Why it is not done after all; empty where it is."""
    if job.tries > MOST_TRIES:
        return DIED
    return "" if job.started_by and may_edit(job.started_by, job.team) else LEFT


def _export(job: ArchiveJob) -> None:
    assert job.campaign is not None
    path = file_of(job)
    export_campaign(job.campaign, path, _teller(job), job.started_by)
    if not _end(job.pk, State.DONE):
        path.unlink(missing_ok=True)


def _import(job: ArchiveJob) -> None:
    path = file_of(job)
    if not path.exists():
        raise FileNotFoundError(path)
    with transaction.atomic():
        campaign = import_campaign(path, job.team, progress=_teller(job), actor=job.started_by)
        if not _end(job.pk, State.DONE, campaign=campaign):
            transaction.set_rollback(True)
    path.unlink(missing_ok=True)


def _fail(job: ArchiveJob, error: str) -> None:
    file_of(job).unlink(missing_ok=True)
    _end(job.pk, State.FAILED, error=f"{error} {NOTHING}" if job.kind == Kind.IMPORT else error)


def _end(pk: int, state: str, **more: Any) -> bool:
    """False where it was forgotten meanwhile."""
    waiting = ArchiveJob.objects.filter(pk=pk, state=State.WAITING)
    return bool(waiting.update(state=state, finished_at=timezone.now(), **more))


def _teller(job: ArchiveJob) -> Callable[[Part], None]:
    """Counts the tables where everybody can see them."""
    done = 0

    def told(part: Part) -> None:
        nonlocal done
        cache.set(_key(job), (done, part.name.replace("_", " ")), KEPT_SECONDS)
        done += 1

    return told


def _key(job: ArchiveJob) -> str:
    return f"archive:{job.token}"


def _token() -> str:
    return secrets.token_urlsafe(16)
