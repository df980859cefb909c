import re
from functools import partial
from typing import Any
from urllib.parse import unquote

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.adapting import SecondStepAdapter
from accounts.models import User
from tests.accounts.conftest import Coder
from tests.accounts.racing import at_once
from tests.conftest import PASSWORD, signed_in

SIGN_IN = {"username": "alice", "password": PASSWORD}
CODE = "/sign-in/code/"


def confirmed(user: User) -> Client:
    """A session that has just said the password once more."""
    client = signed_in(user)
    client.post("/settings/confirm/", {"password": PASSWORD, "next": "/settings/"})
    return client


def turned_on(client: Client, code_of: Coder) -> str:
    page = client.get("/settings/two-step/on/").content.decode()
    found = re.search(r'id="totp-key"[^>]*>([A-Z2-7]{32})<', page)
    assert found
    response = client.post("/settings/two-step/on/", {"code": code_of(found[1])})
    assert response["Location"] == "/settings/two-step/codes/"
    return found[1]


def recovery_codes(client: Client) -> list[str]:
    text = client.get("/settings/two-step/codes/codes.txt").content.decode()
    return re.findall(r"^\d{8}$", text, re.MULTILINE)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_it_works(client: Client, alice: User, code_of: Coder) -> None:
    key = turned_on(confirmed(alice), code_of)
    response = client.post("/sign-in/", SIGN_IN | {"next": "/datasets/"})
    assert response["Location"] == CODE and not is_in(client)
    assert client.post(CODE, {"code": code_of(key, later=1)})["Location"] == "/datasets/"
    assert is_in(client)


def test_the_password_alone_leads_nowhere(client: Client, alice: User, code_of: Coder) -> None:
    turned_on(confirmed(alice), code_of)
    client.post("/sign-in/", SIGN_IN)
    assert client.get("/campaigns/")["Location"].startswith("/sign-in/")
    response = client.post(CODE, {"code": "abcdef"})
    assert "This is not the code" in response.content.decode() and not is_in(client)


def test_a_code_works_once(client: Client, alice: User, code_of: Coder) -> None:
    code = code_of(turned_on(confirmed(alice), code_of), later=1)
    client.post("/sign-in/", SIGN_IN)
    client.post(CODE, {"code": code})
    again = Client()
    again.post("/sign-in/", SIGN_IN)
    again.post(CODE, {"code": code})
    assert is_in(client) and not is_in(again)


def test_a_recovery_code_signs_in_once(alice: User, code_of: Coder) -> None:
    owner = confirmed(alice)
    turned_on(owner, code_of)
    codes = recovery_codes(owner)
    assert len(codes) == 10
    for expected in (True, False):
        client = Client()
        client.post("/sign-in/", SIGN_IN)
        client.post(CODE, {"code": codes[0]})
        assert is_in(client) is expected
    assert len(recovery_codes(owner)) == 9


def test_new_recovery_codes_end_the_old_ones(alice: User, code_of: Coder) -> None:
    owner = confirmed(alice)
    turned_on(owner, code_of)
    old = recovery_codes(owner)
    owner.post("/settings/two-step/codes/new/")
    assert len(recovery_codes(owner)) == 10 and not set(old) & set(recovery_codes(owner))


def test_it_is_turned_off_again(client: Client, alice: User, code_of: Coder) -> None:
    owner = confirmed(alice)
    turned_on(owner, code_of)
    assert "It is on" in owner.get("/settings/two-step/").content.decode()
    response = owner.post("/settings/two-step/off/", follow=True)
    assert "It is off" in response.content.decode() and not Authenticator.objects.exists()
    client.post("/sign-in/", SIGN_IN)
    assert is_in(client)


@pytest.mark.parametrize("path", ["two-step/on/", "two-step/codes/new/"])
def test_a_session_left_open_does_not_change_it(alice: User, path: str) -> None:
    response = signed_in(alice).get(f"/settings/{path}")
    assert unquote(response["Location"]) == f"/settings/confirm/?next=/settings/{path}"


def test_turning_it_off_asks_once_more(alice: User, code_of: Coder) -> None:
    turned_on(confirmed(alice), code_of)
    response = signed_in(alice).post("/settings/two-step/off/")
    assert response["Location"].startswith("/settings/confirm/") and Authenticator.objects.count() == 2


def test_a_wrong_password_confirms_nothing(alice: User) -> None:
    client = signed_in(alice)
    response = client.post("/settings/confirm/", {"password": "guess", "next": "/settings/"})
    assert "This is not your password" in response.content.decode()
    assert client.get("/settings/two-step/on/").status_code == 302


@pytest.mark.usefixtures("throttled")
def test_codes_are_not_guessed_by_the_dozen(client: Client, alice: User, code_of: Coder) -> None:
    key = turned_on(confirmed(alice), code_of)
    client.post("/sign-in/", SIGN_IN)
    for number in range(5):
        client.post(CODE, {"code": f"{number:06}x"})
    response = client.post(CODE, {"code": code_of(key, later=1)})
    assert "Too many sign-ins have failed" in response.content.decode() and not is_in(client)


def test_secrets_are_not_readable_in_the_database(alice: User, code_of: Coder) -> None:
    key = turned_on(confirmed(alice), code_of)
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert key not in kept and SecondStepAdapter().decrypt(kept) == key


def test_under_another_server_key_no_code_is_right(client: Client, alice: User, code_of: Coder, settings: Any) -> None:
    owner = confirmed(alice)
    key, codes = turned_on(owner, code_of), recovery_codes(owner)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key of a server, of fifty characters and more"
    client.post("/sign-in/", SIGN_IN)
    for code in (code_of(key, later=1), codes[0]):
        assert client.post(CODE, {"code": code}).status_code == 200 and not is_in(client)
    settings.SECRET_KEY_FALLBACKS = [old]
    client.post(CODE, {"code": codes[0]})
    assert is_in(client)


def test_its_pages_are_one_s_own(client: Client, alice: User) -> None:
    for name in ("mfa_index", "mfa_activate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"):
        assert client.get(reverse(name))["Location"].startswith("/sign-in/")
    assert signed_in(alice).get("/settings/two-step/codes/").status_code == 404


def _tried_at_once(codes: list[str]) -> int:
    """How many of the browsers, each of which has said the password, are let in."""
    clients = [Client() for _ in codes]
    for client in clients:
        client.post("/sign-in/", SIGN_IN)
    tries = [partial(client.post, CODE, {"code": code}) for client, code in zip(clients, codes, strict=True)]
    assert at_once(*tries) == [""] * len(codes)
    return sum(map(is_in, clients))


@pytest.mark.django_db(transaction=True)
def test_of_many_with_one_code_at_once_one_gets_in(alice: User, code_of: Coder) -> None:
    key = turned_on(confirmed(alice), code_of)
    assert _tried_at_once([code_of(key, later=1)] * 6) == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_with_one_recovery_code_at_once_one_gets_in(alice: User, code_of: Coder) -> None:
    owner = confirmed(alice)
    turned_on(owner, code_of)
    first, second = recovery_codes(owner)[:2]
    assert _tried_at_once([first] * 6) == 1
    assert _tried_at_once([second, first, second]) == 1
    assert len(recovery_codes(owner)) == 8


@pytest.mark.usefixtures("throttled")
def test_guessing_is_counted_for_the_account_wherever_it_comes_from(alice: User, code_of: Coder) -> None:
    """Each try with a new session and another address; right codes are not looked at either until it is over."""
    key = turned_on(confirmed(alice), code_of)
    said = []
    for number in range(12):
        client = Client(REMOTE_ADDR=f"203.0.113.{number}")
        client.post("/sign-in/", SIGN_IN)
        code = code_of(key, later=1) if number == 11 else f"{number:06}"
        said.append("Too many sign-ins have failed" in client.post(CODE, {"code": code}).content.decode())
    assert said == [False] * 5 + [True] * 7 and not is_in(client)
