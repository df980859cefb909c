"""Reports with all their files, made by worker processes: what takes long survives a closed tab and a killed worker.

A build is asked for by what it is made of, so that asking twice finds the same one. While one process makes it,
another that is given the same task leaves it alone; one that is given what a killed process left makes it anew.
"""

import json
import zlib
from collections.abc import Callable
from datetime import datetime
from itertools import count

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone

from campaigns.models import Campaign, Place
from campaigns.telling import tell
from materials.claiming import claimed
from materials.enqueuing import enqueue
from reports.aggregating import Drawn, data_key, report_of, study_of
from reports.files import FILES
from reports.filing import archive, make_files, pack
from reports.models import ReportBuild
from reports.presenting import draw_figures
from reports.reporting import build_report

TASK = "reports.build_report"
# Of so many judgments a report takes longer than a page may: see benchmarks/reports.py.
LARGE = 10_000
NO_QUEUE = "The queue of tasks cannot be reached, so no worker process can make it: try again once the queue is back."
STEPS = ("Reading the judgments", "Analysing", "Drawing")
ALL_STEPS = len(STEPS) + len(FILES)
HEAVY = ("archive", "drawn")
# What is claimed under this number is a build.
LOCKS = 7_261
State = ReportBuild.State


def is_large(campaign: Campaign) -> bool:
    return campaign.places.filter(state=Place.State.FILLED).count() > LARGE


def drawn_of(campaign: Campaign) -> Drawn | None:
    """The campaign's report; of a large one the latest that is built, and None until one is."""
    if not is_large(campaign):
        return report_of(campaign)
    build = _latest(campaign)
    return _unpack(build) if build else None


def build_of(campaign: Campaign) -> ReportBuild | None:
    """The latest that somebody has asked for, whether or not it is done."""
    return ReportBuild.objects.defer(*HEAVY).filter(campaign=campaign).order_by("-created_at", "-pk").first()


def is_current(build: ReportBuild) -> bool:
    """Whether it is made of the data as they are now."""
    return build.key == data_key(build.campaign)


def state_of(campaign: Campaign) -> ReportBuild:
    """A build of the data as they are now, or the one under way; asked for where there is none, or where it failed."""
    build = build_of(campaign)
    if build and (build.under_way or (build.state == State.DONE and is_current(build))):
        return build
    ask = {"state": State.WAITING, "error": "", "done": 0, "step": "", "created_at": timezone.now()}
    build, _ = ReportBuild.objects.update_or_create(campaign=campaign, key=data_key(campaign), defaults=ask)
    transaction.on_commit(lambda: _send(build.pk))
    build.refresh_from_db(fields=["state", "error"])
    return build


def _send(pk: int) -> None:
    if not enqueue(TASK, [pk]):
        ReportBuild.objects.filter(pk=pk).update(state=State.FAILED, error=NO_QUEUE)


def unfinished() -> list[int]:
    """What a killed worker or an emptied queue left."""
    return list(ReportBuild.objects.filter(state__in=[State.WAITING, State.RUNNING]).values_list("pk", flat=True))


def archive_of(campaign: Campaign) -> bytes | None:
    """All files of the latest build that is done, as a ZIP; None where there is none."""
    build = _latest(campaign)
    return bytes(build.archive) if build and build.archive else None


def _latest(campaign: Campaign) -> ReportBuild | None:
    done = ReportBuild.objects.filter(campaign=campaign, state=State.DONE).order_by("-finished_at")
    return done.select_related("campaign").first()


def make(pk: int) -> None:
    """The task: nothing where it is done or deleted. ClaimedElsewhere while another process is at it."""
    with claimed(LOCKS, pk):
        rows = ReportBuild.objects.defer(*HEAVY).select_related("campaign__dataset", "campaign__classifier")
        build = rows.filter(pk=pk).exclude(state=State.DONE).first()
        if build:
            try:
                _make(build)
            except DatabaseError:
                raise  # It is tried again.
            except Exception as error:
                ReportBuild.objects.filter(pk=pk).update(state=State.FAILED, error=f"It could not be made: {error}")
                raise


def _make(build: ReportBuild) -> None:
    campaign, told = build.campaign, _teller(build.pk)
    told(STEPS[0])
    # Judgments may have come since somebody asked: it is the build of what there is now.
    key, study = data_key(campaign), study_of(campaign)
    told(STEPS[1])
    report = build_report(study)
    told(STEPS[2])
    figures = draw_figures(report)
    packed = archive(make_files(pack(report, figures, study), told), f"{campaign.slug}-report")
    content = json.dumps({"report": report, "figures": figures}, ensure_ascii=False).encode()
    with transaction.atomic():
        others = ReportBuild.objects.filter(campaign=campaign).exclude(pk=build.pk)
        others.filter(Q(key=key) | Q(state=State.DONE)).delete()
        ReportBuild.objects.filter(pk=build.pk).update(
            key=key, state=State.DONE, step="", done=ALL_STEPS, archive=packed, drawn=zlib.compress(content),
            finished_at=timezone.now(),
        )  # fmt: skip
        tell(campaign, "report.ready")


def _teller(pk: int) -> Callable[[str], None]:
    """Counts the steps where everybody can see them."""
    at = count()

    def told(step: str) -> None:
        ReportBuild.objects.filter(pk=pk).update(state=State.RUNNING, step=step, done=next(at), total=ALL_STEPS)

    return told


def _unpack(build: ReportBuild) -> Drawn:
    assert build.drawn is not None and isinstance(build.finished_at, datetime)
    content = json.loads(zlib.decompress(bytes(build.drawn)))
    return Drawn(content["report"], content["figures"], build.finished_at)
