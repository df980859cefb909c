from django.db import migrations

# Tokens used to stand in plain in a table of rest_framework.authtoken: they go on working for 90 days, as hashes.
TAKE_OVER = """
DO $$ BEGIN
    IF to_regclass('authtoken_token') IS NOT NULL THEN
        INSERT INTO accounts_apitoken (user_id, name, prefix, digest, scopes, created_at, expires_at)
        SELECT user_id, 'From before scopes', left(key, 8), encode(sha256(convert_to(key, 'UTF8')), 'hex'),
            ARRAY['materials:read', 'campaigns:read'], created, now() + interval '90 days'
        FROM authtoken_token;
        DROP TABLE authtoken_token;
    END IF;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_api_tokens'),
    ]

    operations = [
        migrations.RunSQL(TAKE_OVER, migrations.RunSQL.noop),
    ]
