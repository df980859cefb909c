from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("materials", "0007_speed_of_classifiers")]

    operations = [
        migrations.AddField(
            model_name="text",
            name="warning",
            field=models.CharField(blank=True, help_text="What to know before reading, for workers", max_length=200, default=""),
            preserve_default=False,
        ),
    ]
