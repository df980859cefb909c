from django.db import migrations


def analysts(apps, schema_editor):
    apps.get_model("accounts", "Membership").objects.filter(role="viewer").update(role="analyst")


def viewers(apps, schema_editor):
    apps.get_model("accounts", "Membership").objects.filter(role="analyst").update(role="viewer")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_audit_entries")]

    operations = [migrations.RunPython(analysts, viewers)]
