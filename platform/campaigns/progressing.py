"""How far a campaign is with what takes long, in numbers."""

from dataclasses import dataclass

from campaigns.models import Campaign, Place
from campaigns.moving import State
from campaigns.starting import launch_of
from materials import explaining
from materials.models import Run


@dataclass(frozen=True)
class Progress:
    """`job` is what is under way or was last; `state` is running, done, failed, cancelled, or idle where nothing is."""

    job: str
    state: str
    done: int = 0
    total: int = 0
    failed: int = 0
    seconds_left: float | None = None
    step: str = ""
    error: str = ""


def progress_of(campaign: Campaign) -> Progress:
    """Of predicting or preparing texts, of launching, or of judging, whichever comes next for it."""
    if campaign.state == State.DRAFT:
        return _run("evaluate", _evaluation(campaign))
    if campaign.state == State.PREPARING:
        return _run("prepare", campaign.run)
    return _launch(campaign) if campaign.state == State.READY else _judging(campaign)


def _evaluation(campaign: Campaign) -> Run | None:
    runs = Run.objects.filter(dataset=campaign.dataset_id, classifier=campaign.classifier_id, kind=Run.Kind.PREDICT)
    return runs.order_by("-pk").first()


def _run(job: str, run: Run | None) -> Progress:
    if run is None:
        return Progress(job, "idle")
    found = explaining.progress(run)
    return Progress(job, found.state, found.done, found.total, found.failed, found.seconds_left)


def _launch(campaign: Campaign) -> Progress:
    launch = launch_of(campaign)
    if launch is None:
        return Progress("launch", "idle")
    state = "running" if launch.under_way else str(launch.state)
    return Progress("launch", state, launch.done, launch.total, step=launch.step, error=launch.error)


def _judging(campaign: Campaign) -> Progress:
    """In places, which are the judgments wanted."""
    wanted = campaign.places.exclude(state=Place.State.VOID)
    done, total = wanted.filter(state=Place.State.FILLED).count(), wanted.count()
    running = campaign.state == State.LIVE and done < total
    state = "running" if running else "paused" if campaign.state == State.PAUSED else "done"
    return Progress("judge", state, done, total)
