import django.db.models.deletion
from django.db import migrations, models

REFUSE = """
CREATE FUNCTION judging_checkanswer_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'answers to checks are never changed once written'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER judging_checkanswer_never_changes BEFORE UPDATE ON judging_checkanswer
    FOR EACH ROW EXECUTE FUNCTION judging_checkanswer_refuse_update();
"""
ALLOW = """
DROP TRIGGER judging_checkanswer_never_changes ON judging_checkanswer;
DROP FUNCTION judging_checkanswer_refuse_update();
"""


class Migration(migrations.Migration):
    dependencies = [("judging", "0003_the_crowd")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="warned",
            field=models.CharField(
                blank=True,
                choices=[("shown", "Shown after the warning"), ("skipped", "Skipped after the warning")],
                db_default="",
                help_text="Of a text that bears a warning: what the worker chose",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="CheckAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("check_number", models.PositiveIntegerField(help_text="Which of the campaign's checks it was, from 0")),
                ("answer", models.CharField(max_length=300)),
                ("right", models.BooleanField()),
                (
                    "response_ms",
                    models.PositiveIntegerField(help_text="By the browser's monotonic clock", null=True),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_answers",
                        to="judging.participation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("participation", "check_number"), name="one_answer_a_check")
                ],
            },
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
