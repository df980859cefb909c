import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0010_lists_and_idle_workers"),
        ("materials", "0010_texts_that_are_edits"),
    ]

    operations = [
        migrations.AddField(
            model_name="sampledtext",
            name="edited",
            field=models.ForeignKey(
                help_text="The edit of it that is asked about",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="materials.text",
            ),
        ),
    ]
