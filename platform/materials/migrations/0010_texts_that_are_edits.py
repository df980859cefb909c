import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("materials", "0009_texts_of_a_template")]

    operations = [
        migrations.AddField(
            model_name="text",
            name="edit_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="edits",
                to="materials.text",
            ),
        ),
    ]
