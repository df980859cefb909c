from django.db import migrations

REFUSE = """
CREATE FUNCTION campaigns_stimulus_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'stimuli are never changed once written' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER campaigns_stimulus_never_changes BEFORE UPDATE ON campaigns_stimulus
    FOR EACH ROW EXECUTE FUNCTION campaigns_stimulus_refuse_update();
"""
ALLOW = """
DROP TRIGGER campaigns_stimulus_never_changes ON campaigns_stimulus;
DROP FUNCTION campaigns_stimulus_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
