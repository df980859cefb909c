"""What worker processes are at for somebody's teams, and what waits for them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from accounts.access import editable_teams, readable
from accounts.models import User
from campaigns.models import Campaign
from materials.bringing import imports_of
from materials.carrying import under_way
from materials.models import Classifier, Dataset, Run
from materials.removing import removals_of
from materials.running import rows_of
from reports.models import ArchiveJob, ReportBuild

SHOWN = 5
WAITING = "Waiting for a worker process"


@dataclass(frozen=True)
class Work:
    title: str
    text: str
    href: str
    done: int = 0
    total: int = 0

    @property
    def waits(self) -> bool:
        return self.text == WAITING


def work(user: User) -> list[Work]:
    return [*_imports(user), *_archives(user), *_classifiers(user), *_runs(user), *_reports(user), *_removals(user)]


def _imports(user: User) -> Iterator[Work]:
    for row in under_way(imports_of(user))[:SHOWN]:
        href = reverse("dataset_mapping", args=[row.token])
        yield Work(f"Importing {row.file}", row.step or WAITING, href, row.done, row.rows)


def _archives(user: User) -> Iterator[Work]:
    jobs = under_way(ArchiveJob.objects.filter(team__in=editable_teams(user)))
    for job in jobs.select_related("campaign")[:SHOWN]:
        if job.campaign:
            href, title = reverse("campaign_archive", args=[job.campaign.slug]), f"The archive of {job.campaign}"
        else:
            href, title = reverse("archive_importing", args=[job.pk]), f"Importing {job.file}"
        yield Work(title, job.step or WAITING, href, job.done, job.total)


def _classifiers(user: User) -> Iterator[Work]:
    for row in readable(Classifier.objects.filter(state=Classifier.State.LOADING), user)[:SHOWN]:
        yield Work(f"Reading the files of {row}", "A model from the hub is downloaded first", row.get_absolute_url())


def _runs(user: User) -> Iterator[Work]:
    running = Run.objects.filter(dataset__in=readable(Dataset.objects.all(), user), state=Run.State.RUNNING)
    for row in rows_of(running[:SHOWN]):
        text = f"{row.run.dataset} by {row.run.classifier}"
        href = reverse("explanation_run", args=[row.run.pk])
        yield Work(str(row.run.get_kind_display()), text, href, row.done, row.total)


def _reports(user: User) -> Iterator[Work]:
    mine = readable(Campaign.objects.all(), user)
    builds = under_way(ReportBuild.objects.filter(campaign__in=mine)).select_related("campaign")
    for build in builds.defer("archive", "drawn")[:SHOWN]:
        href = reverse("campaign_report", args=[build.campaign.slug])
        yield Work(f"The report of {build.campaign}", build.step or WAITING, href, build.done, build.total)


def _removals(user: User) -> Iterator[Work]:
    for row in under_way(removals_of(user))[:SHOWN]:
        yield Work(f"Deleting {row.name}", "It is in no list any more", row.get_absolute_url(), row.done, row.total)
