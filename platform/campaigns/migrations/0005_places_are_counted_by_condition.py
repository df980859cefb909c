from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0004_launched_designs_never_change")]
    operations = [
        migrations.RemoveIndex(model_name="place", name="place_campaign_state"),
        migrations.AddIndex(
            model_name="place",
            index=models.Index(fields=["campaign", "state", "condition"], name="place_campaign_state"),
        ),
    ]
