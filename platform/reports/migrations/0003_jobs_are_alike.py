import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TRIES = "Since it went on last; more than one: a worker process died over it"


class Migration(migrations.Migration):
    dependencies = [
        ("reports", "0002_archives_by_worker_processes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            "archivejob",
            "started_by",
            models.ForeignKey(
                db_column="started_by_id",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RenameField("archivejob", "started_by", "asked_by"),
        migrations.AddField(
            "archivejob",
            "step",
            models.CharField(blank=True, db_default="", help_text="What is being done", max_length=60),
        ),
        migrations.AddField(
            "archivejob", "done", models.BigIntegerField(db_default=0, default=0, help_text="Of the total")
        ),
        migrations.AddField(
            "archivejob",
            "total",
            models.BigIntegerField(db_default=0, default=0, help_text="About so much is to be done"),
        ),
        migrations.AlterField(
            "archivejob", "tries", models.PositiveIntegerField(db_default=0, default=0, help_text=TRIES)
        ),
        migrations.AlterField(
            "archivejob", "created_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Asked for")
        ),
        migrations.AlterField(
            "archivejob",
            "state",
            models.CharField(
                choices=[("waiting", "Under way"), ("done", "Done"), ("failed", "Failed")],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AddField(
            "reportbuild",
            "asked_by",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            "reportbuild", "tries", models.PositiveIntegerField(db_default=0, default=0, help_text=TRIES)
        ),
        migrations.AlterField(
            "reportbuild",
            "step",
            models.CharField(blank=True, db_default="", help_text="What is being done", max_length=60),
        ),
        migrations.AlterField(
            "reportbuild", "done", models.BigIntegerField(db_default=0, default=0, help_text="Of the total")
        ),
        migrations.AlterField(
            "reportbuild",
            "total",
            models.BigIntegerField(db_default=0, default=0, help_text="About so much is to be done"),
        ),
        migrations.AlterField(
            "reportbuild", "created_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Asked for")
        ),
        migrations.AlterField(
            "reportbuild",
            "state",
            models.CharField(
                choices=[("waiting", "Under way"), ("done", "Done"), ("failed", "Failed")],
                default="waiting",
                max_length=10,
            ),
        ),
    ]
