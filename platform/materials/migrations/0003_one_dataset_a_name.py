from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("materials", "0002_explanations_never_change")]
    operations = [
        migrations.AddConstraint(
            model_name="dataset",
            constraint=models.UniqueConstraint(fields=["team", "name"], name="one_dataset_a_name"),
        ),
    ]
