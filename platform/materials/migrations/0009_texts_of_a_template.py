from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("materials", "0008_texts_with_a_warning")]

    operations = [
        migrations.AddField(
            model_name="text",
            name="template",
            field=models.CharField(
                blank=True, default="", help_text="Shared by texts that are made alike", max_length=200
            ),
            preserve_default=False,
        ),
    ]
