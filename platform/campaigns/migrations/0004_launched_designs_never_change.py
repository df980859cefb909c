from django.db import migrations

# A launched campaign changes its state, and loses what it points to when that is deleted; its design stays.
REFUSE = """
CREATE FUNCTION campaigns_campaign_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving text[] := ARRAY['state', 'closed_at', 'run_id', 'copied_from_id'];
BEGIN
    IF OLD.design_hash <> '' AND to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'a launched design is never changed: copy the campaign'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER campaigns_campaign_design_never_changes BEFORE UPDATE ON campaigns_campaign
    FOR EACH ROW EXECUTE FUNCTION campaigns_campaign_refuse_update();
"""
ALLOW = """
DROP TRIGGER campaigns_campaign_design_never_changes ON campaigns_campaign;
DROP FUNCTION campaigns_campaign_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0003_campaign_notices")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
