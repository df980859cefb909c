from django.db import migrations

REFUSE = """
CREATE FUNCTION materials_explanation_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'explanations are never changed once written' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER materials_explanation_never_changes BEFORE UPDATE ON materials_explanation
    FOR EACH ROW EXECUTE FUNCTION materials_explanation_refuse_update();
"""
ALLOW = """
DROP TRIGGER materials_explanation_never_changes ON materials_explanation;
DROP FUNCTION materials_explanation_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("materials", "0001_initial")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
