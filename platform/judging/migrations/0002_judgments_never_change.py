from django.db import migrations

REFUSE = """
CREATE FUNCTION judging_judgment_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'judgments are never changed once written' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER judging_judgment_never_changes BEFORE UPDATE ON judging_judgment
    FOR EACH ROW EXECUTE FUNCTION judging_judgment_refuse_update();
"""
ALLOW = """
DROP TRIGGER judging_judgment_never_changes ON judging_judgment;
DROP FUNCTION judging_judgment_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("judging", "0001_initial")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
