from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0009_verdicts_from_elsewhere")]
    operations = [
        migrations.AddField(
            model_name="participation",
            name="known_as",
            field=models.PositiveBigIntegerField(
                help_text="Number in reports, where the campaign came from an archive; otherwise the row's own",
                null=True,
            ),
        ),
    ]
