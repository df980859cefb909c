"""Reports with all their files, made by worker processes.

A build is asked for by what it is made of, so that asking twice finds the same one.
"""

import json
import zlib
from datetime import datetime, timedelta
from itertools import count

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from campaigns.models import Campaign, Place
from campaigns.telling import tell as tell_others
from materials.carrying import Procedure, afresh, end, send, telling
from reports.aggregating import Drawn, data_key, report_of, study_of
from reports.files import FILES
from reports.filing import archive, make_files, pack
from reports.models import ReportBuild
from reports.presenting import draw_figures
from reports.reporting import build_report

TASK = "reports.build_report"
# Of more judgments a report takes longer than a page may, and of so many a part of it, which nobody makes in advance,
# longer than anybody waits: see benchmarks/reports.py.
LARGE, TOO_LARGE = 500, 10_000
# In a live campaign new judgments come all the time.
PAUSE = timedelta(minutes=1)
STEPS = ("Reading the judgments", "Analysing", "Drawing")
ALL_STEPS = len(STEPS) + len(FILES)
HEAVY = ("archive", "drawn")
State = ReportBuild.State


def is_large(campaign: Campaign) -> bool:
    return _judged(campaign) > LARGE


def is_too_large(campaign: Campaign) -> bool:
    """To be filtered, or compared with another, while one waits."""
    return _judged(campaign) > TOO_LARGE


def _judged(campaign: Campaign) -> int:
    return campaign.places.filter(state=Place.State.FILLED).count()


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


def shown_build(campaign: Campaign, user: User) -> ReportBuild | None:
    """The latest build; whoever looks at a large report that is out of date has it made anew, a minute after the last
    one at the earliest."""
    build = build_of(campaign)
    fresh = build and build.created_at > timezone.now() - PAUSE
    return build if fresh or not is_large(campaign) else state_of(campaign, user)


def state_of(campaign: Campaign, user: User | None) -> ReportBuild:
    """A build of the data as they are now, or the one under way; asked for where there is none, or where it failed."""
    build = build_of(campaign)
    if build and (build.under_way or (build.state == State.DONE and is_current(build))):
        return build
    asked = afresh(asked_by=user, created_at=timezone.now())
    build, _ = ReportBuild.objects.update_or_create(campaign=campaign, key=data_key(campaign), defaults=asked)
    send(TASK, build)
    build.refresh_from_db(fields=["state", "error"])
    return build


def archive_of(campaign: Campaign) -> bytes | None:
    """All files of the latest build that is done, as a ZIP; None where there is none."""
    build = _latest(campaign)
    return bytes(build.archive) if build and build.archive else None


def _latest(campaign: Campaign) -> ReportBuild | None:
    done = ReportBuild.objects.filter(campaign=campaign, state=State.DONE).order_by("-finished_at")
    return done.select_related("campaign").first()


def _make(build: ReportBuild) -> None:
    campaign, at = build.campaign, count()
    with telling(build) as tell:

        def begin(step: str) -> None:
            tell(step, next(at), ALL_STEPS)

        begin(STEPS[0])
        # Judgments may have come since somebody asked: it is the build of what there is now.
        key, study = data_key(campaign), study_of(campaign)
        begin(STEPS[1])
        report = build_report(study)
        begin(STEPS[2])
        figures = draw_figures(report)
        packed = archive(make_files(pack(report, figures, study), begin), f"{campaign.slug}-report")
    content = json.dumps({"report": report, "figures": figures}, ensure_ascii=False).encode()
    _keep(build, key, packed, zlib.compress(content))


def _keep(build: ReportBuild, key: str, packed: bytes, drawn: bytes) -> None:
    """In the place of older ones."""
    with transaction.atomic():
        others = ReportBuild.objects.filter(campaign=build.campaign).exclude(pk=build.pk)
        others.filter(Q(key=key) | Q(state=State.DONE)).delete()
        if end(build, State.DONE, key=key, done=ALL_STEPS, total=ALL_STEPS, archive=packed, drawn=drawn):
            tell_others(build.campaign, "report.ready")
        else:
            transaction.set_rollback(True)


def _unpack(build: ReportBuild) -> Drawn:
    assert build.drawn is not None and isinstance(build.finished_at, datetime)
    content = json.loads(zlib.decompress(bytes(build.drawn)))
    return Drawn(content["report"], content["figures"], build.finished_at)


BUILDING = Procedure(
    TASK, ReportBuild, _make, "made", related=("campaign__dataset", "campaign__classifier", "asked_by")
)
