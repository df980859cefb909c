"""Text and person share one index that also finds the assignments of a text. Nobody waits for it to be built."""

import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

BUILD = [
    "DROP INDEX CONCURRENTLY IF EXISTS each_text_once_a_person",  # Of an attempt that was cut short.
    "CREATE UNIQUE INDEX CONCURRENTLY each_text_once_a_person ON judging_assignment (text_id, person_hash)",
    "ALTER TABLE judging_assignment ADD CONSTRAINT each_text_once_a_person"
    " UNIQUE USING INDEX each_text_once_a_person",
]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("judging", "0010_workers_from_archives")]

    operations = [
        migrations.RunSQL(
            BUILD,
            "ALTER TABLE judging_assignment DROP CONSTRAINT each_text_once_a_person",
            state_operations=[
                migrations.AddConstraint(
                    model_name="assignment",
                    constraint=models.UniqueConstraint(fields=("text", "person_hash"), name="each_text_once_a_person"),
                )
            ],
        ),
        AddIndexConcurrently(
            model_name="assignment",
            index=models.Index(
                condition=Q(person_hash__isnull=False), fields=["person_hash"], name="assignment_of_a_person"
            ),
        ),
        migrations.RemoveConstraint(model_name="assignment", name="no_text_twice_for_a_person"),
        # AlterField would drop the foreign key, too, and check it anew under a lock.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS judging_assignment_text_id_34f2a341",
            "CREATE INDEX CONCURRENTLY judging_assignment_text_id_34f2a341 ON judging_assignment (text_id)",
            state_operations=[
                migrations.AlterField(
                    model_name="assignment",
                    name="text",
                    field=models.ForeignKey(
                        db_index=False,
                        help_text="Empty of judgments from elsewhere",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="materials.text",
                    ),
                ),
            ],
        ),
    ]
