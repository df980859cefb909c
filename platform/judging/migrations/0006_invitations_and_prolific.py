import django.db.models.deletion
import django.db.models.fields.json
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0010_lists_and_idle_workers"),
        ("judging", "0005_exclusions_and_counts"),
    ]

    operations = [
        migrations.CreateModel(
            name="BonusPayment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reference", models.CharField(help_text="Prolific's id of it", max_length=64, unique=True)),
                ("amounts", models.JSONField(help_text="{submission: amount, ...}")),
                ("total_cents", models.PositiveIntegerField(help_text="With fees, as Prolific says")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("set_up", "Set up, not paid"),
                            ("sent", "Sent to be paid"),
                            ("unsure", "Sent, but Prolific's answer did not come"),
                        ],
                        default="set_up",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ClassCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=20)),
                ("uses", models.PositiveIntegerField()),
                ("used", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["created_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="From 1, as the researcher's list has it")),
                ("ticket_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="ProlificEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                ("submission_id", models.CharField(max_length=64)),
                ("status", models.CharField(max_length=30)),
                ("sent_at", models.DateTimeField()),
                (
                    "effect",
                    models.CharField(
                        choices=[
                            ("applied", "Applied"),
                            ("older", "Older than what is known"),
                            ("unknown", "Of nobody known here"),
                        ],
                        max_length=10,
                    ),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ProlificStudy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("study_id", models.CharField(max_length=64, unique=True)),
                ("status", models.CharField(blank=True, help_text="Prolific's", max_length=30)),
                ("places", models.PositiveIntegerField(default=0)),
                ("taken", models.PositiveIntegerField(default=0)),
                ("read_at", models.DateTimeField(help_text="When Prolific told status and places", null=True)),
                ("linked_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ProlificSubmission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("submission_id", models.CharField(max_length=64, unique=True)),
                ("worker_hash", models.CharField(max_length=64)),
                ("status", models.CharField(help_text="Prolific's", max_length=30)),
                ("status_at", models.DateTimeField(help_text="When it came to this, or was read, by Prolific's clock")),
                ("entered_code", models.CharField(blank=True, max_length=100)),
                ("return_requested", models.BooleanField(default=False)),
            ],
        ),
        migrations.AddIndex(
            model_name="participation",
            index=models.Index(
                django.db.models.fields.json.KeyTextTransform("SESSION_ID", "parameters"), name="participation_session"
            ),
        ),
        migrations.AddField(
            model_name="bonuspayment",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="bonus_payments", to="campaigns.campaign"
            ),
        ),
        migrations.AddField(
            model_name="classcode",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="class_codes", to="campaigns.campaign"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="campaigns.campaign"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="participation",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="invitation",
                to="judging.participation",
            ),
        ),
        migrations.AddField(
            model_name="prolificstudy",
            name="campaign",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="prolific_study", to="campaigns.campaign"
            ),
        ),
        migrations.AddField(
            model_name="prolificsubmission",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="prolific_submissions",
                to="campaigns.campaign",
            ),
        ),
        migrations.AddConstraint(
            model_name="classcode",
            constraint=models.UniqueConstraint(fields=("campaign", "code"), name="one_row_a_class_code"),
        ),
        migrations.AddConstraint(
            model_name="classcode",
            constraint=models.CheckConstraint(
                condition=models.Q(("used__lte", models.F("uses"))), name="no_more_than_its_uses"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="one_invitation_a_number"),
        ),
    ]
