from django.db import migrations

REFUSE = """
CREATE FUNCTION campaigns_registration_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was registered is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER campaigns_registration_never_changes BEFORE UPDATE ON campaigns_registration
    FOR EACH ROW EXECUTE FUNCTION campaigns_registration_refuse_update();
"""
ALLOW = """
DROP TRIGGER campaigns_registration_never_changes ON campaigns_registration;
DROP FUNCTION campaigns_registration_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0014_what_is_registered")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
