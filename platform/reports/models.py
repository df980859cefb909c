from django.conf import settings
from django.db import models

from accounts.models import Team
from campaigns.models import Campaign
from materials.jobs import Job


class ReportBuild(Job):
    """A report with its files, made of what was known under `key`; later data have another key.

    Where nothing new has come, the same build is found again, whoever asks and however often.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="report_builds")
    key = models.CharField(max_length=64, help_text="Hash of all that the report depends on")
    archive = models.BinaryField(null=True, help_text="All files, as a ZIP")
    drawn = models.BinaryField(null=True, help_text="Report and figures, as compressed JSON")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_build_a_key")]

    def __str__(self) -> str:
        return f"report of campaign {self.campaign_id}, {self.state}"


class ArchiveJob(Job):
    """A whole campaign that is written into an archive, table by table, or taken in from one.

    The file of an export is kept a day; that of an import goes as soon as the job has ended.
    """

    class Kind(models.TextChoices):
        EXPORT = "export", "Export"
        IMPORT = "import", "Import"

    kind = models.CharField(max_length=10, choices=Kind)
    team = models.ForeignKey(Team, models.CASCADE, related_name="archive_jobs")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_column="started_by_id"
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, related_name="archive_jobs", help_text="Exported, or what was imported"
    )
    token = models.CharField(max_length=22, unique=True, help_text="Names the file below MEDIA_ROOT")
    file = models.CharField(max_length=255, help_text="What people call the file")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(kind="export", state="waiting"), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.file}"
