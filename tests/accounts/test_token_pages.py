import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.api.models import ApiToken
from accounts.api.tokens import make_token
from accounts.models import AuditEntry, Team, User
from tests.accounts.test_second_step import confirmed
from tests.conftest import PASSWORD, signed_in

NEW = {"name": "Nightly", "days": "30", "scopes": ["materials:read", "reports:read"]}


def test_it_works(alice: User, team: Team) -> None:
    client = confirmed(alice)
    response = client.post("/settings/tokens/new/", NEW)
    secret = re.search(r"pkw_[\w-]{43}", response.content.decode())
    assert secret and "no-store" in response["Cache-Control"]
    answer = Client().get("/api/v1/datasets/", headers={"authorization": f"Bearer {secret[0]}"})
    assert answer.status_code == 200
    assert ApiToken.objects.get().scopes == NEW["scopes"]
    text = client.get("/settings/tokens/").content.decode()
    assert "Nightly" in text and secret[0] not in text
    assert AuditEntry.objects.get(team=team).act == "token_made"


@pytest.mark.parametrize("change", [{"name": ""}, {"days": "0"}, {"days": "999"}, {"scopes": []}, {"scopes": ["all"]}])
def test_what_does_not_fit_makes_none(alice: User, change: dict[str, Any]) -> None:
    assert confirmed(alice).post("/settings/tokens/new/", NEW | change).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_session_left_open_makes_none(alice: User) -> None:
    response = signed_in(alice).post("/settings/tokens/new/", NEW)
    assert response["Location"].startswith("/settings/confirm/") and not ApiToken.objects.exists()


def test_one_revokes_one_s_own(alice: User, bob: User) -> None:
    token, secret = make_token(alice, "Nightly")
    address = f"/settings/tokens/{token.pk}/revoke/"
    assert signed_in(bob).post(address).status_code == 404
    assert signed_in(alice).get(address).status_code == 405
    assert "opens nothing any more" in signed_in(alice).post(address, follow=True).content.decode()
    assert Client().get("/api/v1/datasets/", headers={"authorization": f"Bearer {secret}"}).status_code == 401
    assert "Nightly" not in signed_in(alice).get("/settings/tokens/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "new/"])
def test_a_visitor_is_asked_to_sign_in(client: Client, path: str) -> None:
    assert client.get(f"/settings/tokens/{path}")["Location"].startswith("/sign-in/")


def test_a_second_step_is_not_gone_around_by_the_api(alice: User, client: Client) -> None:
    said = {"username": "alice", "password": PASSWORD}
    assert client.post("/api/v1/token/", said).status_code == 200
    Authenticator.objects.create(user=alice, type="totp", data={})
    answer = client.post("/api/v1/token/", said)
    assert answer.status_code == 400 and "second step" in answer.content.decode()
    assert ApiToken.objects.count() == 1
