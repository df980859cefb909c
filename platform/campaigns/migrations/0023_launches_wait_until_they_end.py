from django.db import migrations


class Migration(migrations.Migration):
    """What was running is under way, like all that has not ended."""

    dependencies = [("campaigns", "0022_launches_are_like_other_jobs")]

    operations = [
        migrations.RunSQL(
            "UPDATE campaigns_launch SET state = 'waiting' WHERE state = 'running'", migrations.RunSQL.noop
        )
    ]
