import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TRIES = "Since it went on last; more than one: a worker process died over it"


class Migration(migrations.Migration):
    dependencies = [("materials", "0015_what_is_going"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.RemoveIndex("import", "import_of_a_user"),
        migrations.AlterField(
            "import",
            "started_by",
            models.ForeignKey(
                db_column="started_by_id",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RenameField("import", "started_by", "asked_by"),
        migrations.AddIndex("import", models.Index(fields=["asked_by", "state"], name="import_of_a_user")),
        migrations.AddField(
            "import", "step", models.CharField(blank=True, db_default="", help_text="What is being done", max_length=60)
        ),
        migrations.AddField(
            "import", "done", models.BigIntegerField(db_default=0, default=0, help_text="Of the total")
        ),
        migrations.AddField(
            "import", "total", models.BigIntegerField(db_default=0, default=0, help_text="About so much is to be done")
        ),
        migrations.AlterField("import", "tries", models.PositiveIntegerField(db_default=0, default=0, help_text=TRIES)),
        migrations.AlterField(
            "import", "created_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Asked for")
        ),
        migrations.AddField(
            "removal",
            "step",
            models.CharField(blank=True, db_default="", help_text="What is being done", max_length=60),
        ),
        migrations.AlterField(
            "removal", "done", models.BigIntegerField(db_default=0, default=0, help_text="Of the total")
        ),
        migrations.AlterField(
            "removal", "total", models.BigIntegerField(db_default=0, default=0, help_text="About so much is to be done")
        ),
        migrations.AlterField(
            "removal", "tries", models.PositiveIntegerField(db_default=0, default=0, help_text=TRIES)
        ),
        migrations.AlterField(
            "removal", "created_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Asked for")
        ),
    ]
