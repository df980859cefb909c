"""One index on stimulus and number, and no other on the stimulus: each one less is less to write at every judgment.

Nobody waits: the index is built beside the judging, and the constraint is checked after it holds.
"""

import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

VOID_HAVE_NONE = models.CheckConstraint(
    condition=Q(state="void", number__isnull=True) | (~Q(state="void") & Q(number__isnull=False)),
    name="void_places_have_no_number",
)
BUILD = [
    "DROP INDEX CONCURRENTLY IF EXISTS each_number_once_a_stimulus",  # Of an attempt that was cut short.
    "CREATE UNIQUE INDEX CONCURRENTLY each_number_once_a_stimulus ON campaigns_place (stimulus_id, number)",
    "ALTER TABLE campaigns_place ADD CONSTRAINT each_number_once_a_stimulus"
    " UNIQUE USING INDEX each_number_once_a_stimulus",
]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("campaigns", "0019_launched_campaigns_are_put_aside")]

    operations = [
        migrations.AlterField(
            model_name="place",
            name="number",
            field=models.PositiveIntegerField(help_text="1 to N within the stimulus; none of a void place", null=True),
        ),
        AddConstraintNotValid(model_name="place", constraint=VOID_HAVE_NONE),
        migrations.RunSQL(
            "UPDATE campaigns_place SET number = NULL WHERE state = 'void' AND number IS NOT NULL", migrations.RunSQL.noop
        ),
        ValidateConstraint(model_name="place", name="void_places_have_no_number"),
        migrations.RunSQL(
            BUILD,
            "ALTER TABLE campaigns_place DROP CONSTRAINT each_number_once_a_stimulus",
            state_operations=[
                migrations.AddConstraint(
                    model_name="place",
                    constraint=models.UniqueConstraint(
                        fields=("stimulus", "number"), name="each_number_once_a_stimulus"
                    ),
                )
            ],
        ),
        migrations.RemoveConstraint(model_name="place", name="one_place_a_number"),
        # AlterField would drop the foreign key, too, and check it anew under a lock.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS campaigns_place_stimulus_id_a4b64d45",
            "CREATE INDEX CONCURRENTLY campaigns_place_stimulus_id_a4b64d45 ON campaigns_place (stimulus_id)",
            state_operations=[
                migrations.AlterField(
                    model_name="place",
                    name="stimulus",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="campaigns.stimulus",
                    ),
                ),
            ],
        ),
        migrations.RemoveIndex(model_name="place", name="place_leased"),
    ]
