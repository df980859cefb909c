from django.db import migrations

# Putting a campaign aside changes nothing of its design.
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
BEFORE = "'state', 'closed_at', 'run_id', 'copied_from_id'"


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0018_sketches_edits_and_archives")]
    operations = [
        migrations.RunSQL(REFUSE.format(moving=f"{BEFORE}, 'archived_at'"), REFUSE.format(moving=BEFORE)),
    ]
