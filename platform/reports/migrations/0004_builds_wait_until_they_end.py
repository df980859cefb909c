from django.db import migrations


class Migration(migrations.Migration):
    """What was running is under way, like all that has not ended."""

    dependencies = [("reports", "0003_jobs_are_alike")]

    operations = [
        migrations.RunSQL(
            "UPDATE reports_reportbuild SET state = 'waiting' WHERE state = 'running'", migrations.RunSQL.noop
        )
    ]
