import django.db.models.deletion
from django.db import migrations, models

# That a campaign is being deleted changes nothing of its design.
REFUSE = """
CREATE OR REPLACE FUNCTION campaigns_campaign_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving text[] := ARRAY[{moving}];
BEGIN
    IF OLD.design_hash <> '' AND to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'a launched design is never changed: copy the campaign'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
"""
BEFORE = "'state', 'closed_at', 'run_id', 'copied_from_id', 'archived_at'"


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0020_void_places_have_no_number"), ("materials", "0015_what_is_going")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="removed_at",
            field=models.DateTimeField(editable=False, help_text="It is going; lists have it no more", null=True),
        ),
        migrations.RunSQL(REFUSE.format(moving=f"{BEFORE}, 'removed_at'"), REFUSE.format(moving=BEFORE)),
        # The stimulus of a place holds its text; this key was checked without an index for each text that was deleted.
        migrations.AlterField(
            model_name="place",
            name="text",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="materials.text",
            ),
        ),
    ]
