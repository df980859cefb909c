from importlib import import_module

import pytest
from django.db import connection

from accounts.api.tokens import find_token
from accounts.models import User

OLD = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
TAKE_OVER = import_module("accounts.migrations.0006_hash_old_tokens").TAKE_OVER


@pytest.mark.django_db
def test_tokens_from_before_go_on_reading_and_stand_nowhere_in_plain(alice: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40), created timestamptz, user_id bigint)")
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, now(), %s)", [OLD, alice.pk])
        cursor.execute(TAKE_OVER)
        cursor.execute("SELECT to_regclass('authtoken_token')")
        assert cursor.fetchone() == (None,)
    token = find_token(OLD)
    assert token and token.user == alice and token.scopes == ["materials:read", "campaigns:read"]


@pytest.mark.django_db
def test_where_there_were_none_nothing_happens() -> None:
    with connection.cursor() as cursor:
        cursor.execute(TAKE_OVER)
