from django.db import models

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
