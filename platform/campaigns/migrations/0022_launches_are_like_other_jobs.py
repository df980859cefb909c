import django.utils.timezone
from django.db import migrations, models

TRIES = "Since it went on last; more than one: a worker process died over it"


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0021_campaigns_that_are_going")]

    operations = [
        migrations.AlterField(
            "launch",
            "asked_at",
            models.DateTimeField(
                db_column="asked_at", default=django.utils.timezone.now, help_text="Asked for, the last time"
            ),
        ),
        migrations.RenameField("launch", "asked_at", "created_at"),
        migrations.AddField("launch", "finished_at", models.DateTimeField(null=True)),
        migrations.AddField("launch", "tries", models.PositiveIntegerField(db_default=0, default=0, help_text=TRIES)),
        migrations.AlterField(
            "launch", "step", models.CharField(blank=True, db_default="", help_text="What is being done", max_length=60)
        ),
        migrations.AlterField(
            "launch", "done", models.BigIntegerField(db_default=0, default=0, help_text="Of the total")
        ),
        migrations.AlterField(
            "launch", "total", models.BigIntegerField(db_default=0, default=0, help_text="About so much is to be done")
        ),
        migrations.AlterField(
            "launch",
            "state",
            models.CharField(
                choices=[("waiting", "Under way"), ("done", "Done"), ("failed", "Failed")],
                default="waiting",
                max_length=10,
            ),
        ),
    ]
