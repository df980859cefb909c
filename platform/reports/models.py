from django.db import models

from accounts.models import Team, User
from campaigns.models import Campaign


class ReportBuild(models.Model):
    """A report with its files, made by a worker process of what was known under `key`; later data have another key.

    Where nothing new has come, the same build is found again, whoever asks and however often.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="report_builds")
    key = models.CharField(max_length=64, help_text="Hash of all that the report depends on")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    step = models.CharField(max_length=60, blank=True, help_text="What is being made")
    done = models.PositiveIntegerField(default=0, help_text="Steps")
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    archive = models.BinaryField(null=True, help_text="All files, as a ZIP")
    drawn = models.BinaryField(null=True, help_text="Report and figures, as compressed JSON")
    created_at = models.DateTimeField(help_text="Asked for, the last time")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_build_a_key")]

    def __str__(self) -> str:
        return f"report of campaign {self.campaign_id}, {self.state}"

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0

    @property
    def under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)


class ArchiveJob(models.Model):
    """A whole campaign that a worker process writes into an archive, or takes in from one, asked for by a researcher.

    The file of an export is kept a day; that of an import goes as soon as the job has ended.
    """

    class Kind(models.TextChoices):
        EXPORT = "export", "Export"
        IMPORT = "import", "Import"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    kind = models.CharField(max_length=10, choices=Kind)
    team = models.ForeignKey(Team, models.CASCADE, related_name="archive_jobs")
    started_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="archive_jobs")
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, related_name="archive_jobs", help_text="Exported, or what was imported"
    )
    token = models.CharField(max_length=22, unique=True, help_text="Names the file below MEDIA_ROOT")
    file = models.CharField(max_length=255, help_text="What people call the file")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, help_text="Waiting until it ends")
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(kind="export", state="waiting"), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.file}"

    @property
    def under_way(self) -> bool:
        return self.state == self.State.WAITING
