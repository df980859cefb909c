from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0005_places_are_counted_by_condition")]
    operations = [
        migrations.AlterField(
            model_name="campaign",
            name="minutes_per_item",
            field=models.PositiveIntegerField(
                default=10, validators=[MinValueValidator(1), MaxValueValidator(7 * 24 * 60)]
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="pay_per_worker",
            field=models.DecimalField(decimal_places=2, default=0, max_digits=8, validators=[MinValueValidator(0)]),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="seconds_per_item",
            field=models.PositiveIntegerField(
                default=20, validators=[MinValueValidator(1), MaxValueValidator(7 * 24 * 60 * 60)]
            ),
        ),
    ]
