"""What somebody has to do something about: the gravest first, each with the page where it is done."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.access import readable
from accounts.models import User
from campaigns.models import Campaign
from materials.bringing import imports_of
from materials.counting import counted
from materials.failing import failed_counts
from materials.models import Classifier, Dataset, Import, Run
from reports.models import ReportBuild

SHOWN = 5
# What failed longer ago has been seen.
RECENT = timedelta(days=30)


@dataclass(frozen=True)
class Attention:
    """`state` colours its dot, `words` say it."""

    title: str
    text: str
    href: str
    state: str
    words: str


def attention(user: User, full: Iterable[Campaign]) -> list[Attention]:
    """`full` campaigns have all their judgments, and are still open."""
    return [
        *_failed_classifiers(user), *_failed_imports(user), *_failed_launches(user), *_failed_reports(user),
        *_failed_runs(user), *_finished(full), *_paused(user),
    ]  # fmt: skip


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """Without those that are put aside."""
    return readable(Campaign.objects.filter(archived_at__isnull=True), user)


def _failed_classifiers(user: User) -> Iterator[Attention]:
    failed = readable(Classifier.objects.filter(state=Classifier.State.FAILED), user)
    for row in failed[:SHOWN]:
        yield Attention(f"{row} could not be loaded", row.error, row.get_absolute_url(), "failed", "Failed")


def _failed_imports(user: User) -> Iterator[Attention]:
    for row in imports_of(user).exclude(state=Import.State.WAITING)[:SHOWN]:
        rejected = f"{counted(row.rejected, 'row')} cannot be imported. Look at them, or import the rest."
        text = rejected if row.state == Import.State.REJECTED else row.error
        href = reverse("dataset_mapping", args=[row.token])
        yield Attention(f"{row.file} is not imported", text, href, "failed", str(row.get_state_display()))


def _failed_launches(user: User) -> Iterator[Attention]:
    failed = campaigns_of(user).filter(state=Campaign.State.READY, launch__state="failed")
    for row in failed.select_related("launch")[:SHOWN]:
        yield Attention(f"{row} was not launched", row.launch.error, row.get_absolute_url(), "failed", "Failed")


def _failed_reports(user: User) -> Iterator[Attention]:
    mine = campaigns_of(user)
    failed = ReportBuild.objects.filter(campaign__in=mine, state=ReportBuild.State.FAILED, created_at__gte=_since())
    for build in failed.select_related("campaign").defer("archive", "drawn").order_by("-created_at")[:SHOWN]:
        href = reverse("campaign_report", args=[build.campaign.slug])
        yield Attention(f"The report of {build.campaign} was not made", build.error, href, "failed", "Failed")


def _failed_runs(user: User) -> Iterator[Attention]:
    """Texts that failed and still do, and computations that somebody stopped or no queue took."""
    mine = Run.objects.filter(dataset__in=readable(Dataset.objects.all(), user), created_at__gte=_since())
    failed = failed_counts(mine)
    runs = mine.filter(Q(pk__in=failed) | Q(state=Run.State.CANCELLED)).select_related("dataset", "classifier")
    for run in runs[:SHOWN]:
        title = f"{run.get_kind_display()} of {run.dataset} by {run.classifier}"
        cancelled = run.state == Run.State.CANCELLED
        text = f"{counted(failed[run.pk], 'text')} failed." if run.pk in failed else "It was stopped half way."
        href = reverse("explanation_run", args=[run.pk])
        yield Attention(title, text, href, "cancelled" if cancelled else "failed", "Stopped" if cancelled else "Failed")


def _finished(full: Iterable[Campaign]) -> Iterator[Attention]:
    for row in full:
        text = "All judgments are in. Close it, pay the workers, and read the report."
        yield Attention(str(row), text, row.get_absolute_url(), "done", "Finished")


def _paused(user: User) -> Iterator[Attention]:
    for row in campaigns_of(user).filter(state=Campaign.State.PAUSED)[:SHOWN]:
        text = "Workers cannot go on until it is resumed."
        yield Attention(str(row), text, row.get_absolute_url(), "paused", "Paused")


def _since() -> object:
    return timezone.now() - RECENT
