from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0002_stimuli_never_change")]
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="notices",
            field=models.JSONField(default=list, help_text="Texts that failed in preparing: [{text, key, reason}, ...]"),
        ),
    ]
