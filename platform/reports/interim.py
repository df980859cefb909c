"""People against metrics while a campaign goes on. Worker processes work it out; pages only look it up."""

import time
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone

from analysis.study import WITHOUT_SCORES
from campaigns.models import Campaign, Place
from materials.enqueuing import enqueue
from reports.aggregating import study_of
from reports.drawing import draw_all
from reports.measures import MEASURES
from reports.measuring import Settings
from reports.sections import correlations, reliability, winners
from reports.sections.section import Matter, Report
from reports.watching import Watch

TASK = "reports.relate_so_far"
SECTIONS = (correlations.SECTION, winners.SECTION, reliability.SECTION)
# Enough for a picture that the report replaces.
REPLICATES = 500
KEPT_SECONDS = 24 * 3600
# It is worked out again a minute after it was asked for, and never so often that it takes a twentieth of the time.
PAUSE_SECONDS = 60
SHARE_OF_TIME = 20
FEWEST_METHODS = 3


@dataclass(frozen=True)
class Interim:
    """How people and metrics related when so many judgments were in."""

    judgments: int
    sentences: list[str]
    figures: dict[str, str]
    made_at: datetime


@dataclass(frozen=True)
class SoFar:
    """What the live page says of it. `empty` says why there is nothing yet, and what to do."""

    interim: Interim | None
    wanted: int
    empty: str = ""

    @property
    def is_whole(self) -> bool:
        return self.interim is not None and self.interim.judgments >= self.wanted


def is_related(campaign: Campaign) -> bool:
    """Whether its answers say that one explanation is better than another."""
    return campaign.protocol not in WITHOUT_SCORES and MEASURES[campaign.protocol].ranked


def relation_so_far(campaign: Campaign, watch: Watch) -> SoFar | None:
    """What is known, which may be a minute old; asks for what is new. None where there is nothing to relate."""
    if not is_related(campaign):
        return None
    if not campaign.metrics:
        return SoFar(None, watch.wanted, _NO_METRICS)
    if len(campaign.methods) < FEWEST_METHODS:
        return SoFar(None, watch.wanted, _FEW_METHODS)
    if not watch.done:
        return SoFar(None, watch.wanted, _NO_JUDGMENTS)
    found: Interim | None = cache.get(_key(campaign.pk))
    asked = True
    if (found is None or found.judgments != watch.done) and cache.add(_asked(campaign.pk), True, PAUSE_SECONDS):
        asked = enqueue(TASK, [campaign.pk])
    return SoFar(found, watch.wanted, "" if found else _WAITING if asked else _NO_QUEUE)


def relate_so_far(campaign_id: int) -> None:
    """The task: nothing where the campaign was deleted. Twice does no harm."""
    campaign = Campaign.objects.select_related("dataset", "classifier").filter(pk=campaign_id).first()
    if campaign is None:
        return
    started = time.monotonic()
    judgments = campaign.places.filter(state=Place.State.FILLED).count()
    cache.set(_key(campaign_id), _relate(campaign, judgments), KEPT_SECONDS)
    pause = max(PAUSE_SECONDS, SHARE_OF_TIME * (time.monotonic() - started))
    cache.set(_asked(campaign_id), True, int(pause))


def _relate(campaign: Campaign, judgments: int) -> Interim:
    matter = Matter(study_of(campaign), Settings(seed=0, replicates=REPLICATES))
    if matter.related is None:
        return Interim(judgments, [_NO_VALUES], {}, timezone.now())
    report: Report = {"meta": {"protocol": campaign.protocol}, "methods": []}
    report |= {section.key: section.describe(matter) for section in SECTIONS}
    sentences = [sentence for section in SECTIONS for sentence in section.findings(report)]
    return Interim(judgments, sentences, draw_all(correlations.SECTION.figures(report)), timezone.now())


def _key(campaign_id: int) -> str:
    return f"interim:1:{campaign_id}"


def _asked(campaign_id: int) -> str:
    return f"interim:asked:{campaign_id}"


_NO_METRICS = (
    "This campaign computes no automatic metrics, so there is nothing to set people against. Choose some before "
    "preparing a copy of it."
)
_FEW_METHODS = (
    "Whether a metric orders methods as people do can be said of three methods or more. Compare more of them in a copy "
    "of this campaign."
)
_NO_VALUES = "No explanation that people judged has a value of an automatic metric, so nothing can be set against them."
_NO_JUDGMENTS = "Once judgments come in, this shows which automatic metric orders the methods as people do."
_WAITING = "Being worked out from the judgments so far. It appears here by itself."
_NO_QUEUE = "It is worked out by worker processes, and the queue of their tasks cannot be reached."
