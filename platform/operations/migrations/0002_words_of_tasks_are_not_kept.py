from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("operations", "0001_failed_tasks"),
    ]

    operations = [
        migrations.RemoveField(model_name="failedtask", name="kwargs"),
        migrations.AlterField(
            model_name="failedtask",
            name="args",
            field=models.JSONField(
                default=list, help_text="Numbers of rows; null where it was given words", null=True
            ),
        ),
    ]
