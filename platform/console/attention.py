"""What somebody has to do something about: the gravest first, each with the page where it is done."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from accounts.access import editable_teams, readable
from accounts.acts import Act
from accounts.models import AuditEntry, User
from campaigns.models import Campaign
from judging.models import Participation
from materials.bringing import imports_of
from materials.counting import counted
from materials.failing import failed_counts
from materials.models import Classifier, Dataset, Import, Removal, Run
from materials.removing import removals_of
from recruitment.linking import SIMULATED
from reports.archiving.asking import imports_of as archives_of
from reports.models import ArchiveJob, ReportBuild
from webhooks.models import Endpoint

SHOWN = 5
PAYING = (Act.PAY_FILE, Act.APPROVED, Act.PAID)
# What failed longer ago has been seen.
RECENT = timedelta(days=30)


@dataclass(frozen=True)
class Attention:
    """`state` colours its dot, `words` say it. What nobody need mend is forgotten by a POST to `dismiss`."""

    title: str
    text: str
    href: str
    state: str
    words: str
    dismiss: str = ""


def attention(user: User, full: Iterable[Campaign]) -> list[Attention]:
    """`full` campaigns have all their judgments, and are still open."""
    return [
        *_failed_classifiers(user), *_failed_imports(user), *_failed_archives(user), *_failed_launches(user),
        *_failed_reports(user), *_failed_runs(user), *_failed_removals(user), *_silent_webhooks(user), *_unpaid(user),
        *_finished(full), *_paused(user),
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
        dismiss = reverse("dataset_discard", args=[row.token])
        yield Attention(f"{row.file} is not imported", text, href, "failed", str(row.get_state_display()), dismiss)


def _failed_archives(user: User) -> Iterator[Attention]:
    """Kept a day; whoever has taken it in since then need not hear of it."""
    for row in archives_of(user).filter(state=ArchiveJob.State.FAILED)[:SHOWN]:
        href = reverse("archive_importing", args=[row.pk])
        dismiss = reverse("archive_dismiss", args=[row.pk])
        yield Attention(f"{row.file} is not imported", row.error, href, "failed", "Failed", dismiss)


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


def _failed_removals(user: User) -> Iterator[Attention]:
    for row in removals_of(user).filter(state=Removal.State.FAILED)[:SHOWN]:
        title = f"{row.name} is not wholly deleted"
        yield Attention(title, row.error, row.get_absolute_url(), "failed", str(row.get_state_display()))


def _silent_webhooks(user: User) -> Iterator[Attention]:
    """Switched off by us, as nothing arrived; told to those who can mend it."""
    for row in Endpoint.objects.filter(team__in=editable_teams(user), switched_off_at__isnull=False)[:SHOWN]:
        text = "Nothing is sent to it any more: it said that it is gone, or nothing arrived for days."
        yield Attention(f"The webhook at {row.host}", text, row.get_absolute_url(), "failed", "Switched off")


def _unpaid(user: User) -> Iterator[Attention]:
    """Of whose work the last pay file, approval or payment knows nothing yet; for those who see workers' data."""
    ours = {"team": OuterRef("team"), "subject_kind": "campaign", "subject_key": OuterRef("pk")}
    paid = AuditEntry.objects.filter(**ours, act__in=PAYING).order_by("-id").values("at")[:1]
    since = Coalesce(OuterRef("paid_at"), OuterRef("created_at"))
    completed = Participation.objects.filter(campaign=OuterRef("pk"), state="completed", finished_at__gt=since)
    people = completed.exclude(parameters__has_key=SIMULATED).order_by().values("campaign")
    owing = campaigns_of(user).filter(team__in=editable_teams(user), imported__isnull=True, pay_per_worker__gt=0)
    counted_now = owing.annotate(paid_at=Subquery(paid)).annotate(
        unpaid=Subquery(people.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    )
    for row in counted_now.filter(unpaid__gt=0).order_by("-created_at")[:SHOWN]:
        text = f"{counted(row.unpaid, 'worker')} completed since the last pay file or payment."
        href = reverse("campaign_participants", args=[row.slug])
        yield Attention(f"Pay for {row}", text, href, "waiting", "To be paid")


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
