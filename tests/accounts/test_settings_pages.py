import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.api.tokens import make_token
from accounts.leaving import found
from accounts.models import AuditEntry, Team, User
from tests.conftest import PASSWORD, signed_in

NEW = "another long pass phrase"


def entered(name: str = "alice", password: str = PASSWORD, browser: str = "Firefox") -> Client:
    client = Client(headers={"user-agent": browser})
    client.post("/sign-in/", {"username": name, "password": password})
    return client


def is_in(client: Client) -> bool:
    return client.get("/settings/").status_code == 200


def page(client: Client, path: str) -> str:
    return str(client.get(path).content.decode())


def test_it_works(alice: User, team: Team) -> None:
    client = signed_in(alice)
    client.post("/settings/", {"first_name": "Alice", "last_name": "Li"})
    alice.refresh_from_db()
    assert alice.get_full_name() == "Alice Li" and "current_team" not in page(client, "/settings/")
    other = found(alice, "Second lab")
    client.post("/settings/", {"first_name": "Alice", "last_name": "Li", "current_team": other.pk})
    alice.refresh_from_db()
    assert alice.current_team == other


def test_a_team_of_others_is_not_chosen(alice: User, charlie: User, team: Team) -> None:
    found(alice, "Second lab")
    response = signed_in(alice).post("/settings/", {"current_team": Team.objects.get(members=charlie).pk})
    assert response.status_code == 422
    alice.refresh_from_db()
    assert alice.current_team is None


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "email/", "password/", "sessions/", "two-step/", "confirm/"])
def test_a_visitor_is_asked_to_sign_in(client: Client, path: str) -> None:
    assert client.get(f"/settings/{path}")["Location"].startswith("/sign-in/")


def test_changing_the_password_ends_other_sessions_and_no_token(alice: User, team: Team, mailoutbox: list[Any]) -> None:
    here, there = entered(), entered()
    _, secret = make_token(alice, "Nightly")
    assert "go on working" in page(here, "/settings/password/")
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert here.post("/settings/password/", data)["Location"] == "/settings/"
    assert is_in(here) and not is_in(there) and is_in(entered(password=NEW))
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"]]
    assert "If it was not you" in mailoutbox[0].body
    answer = Client().get("/api/v1/datasets/", headers={"authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    entry = AuditEntry.objects.get(team=team, act="password_changed")
    assert (entry.actor, entry.subject_name) == (alice, "alice")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"oldpassword": "guess"}, "This is not your current password"),
        ({"password1": "12345678", "password2": "12345678"}, "entirely numeric"),
        ({"password1": "alice@example.org", "password2": "alice@example.org"}, "too similar"),
        ({"password2": "something else"}, "must type the same password"),
    ],
)
def test_what_is_wrong_with_a_password_is_told(alice: User, change: dict[str, str], told: str) -> None:
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW} | change
    assert told in signed_in(alice).post("/settings/password/", data).content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_sessions_are_listed_and_ended(alice: User, bob: User) -> None:
    here, there, other = entered(browser="Firefox/150"), entered(browser="Chrome/156"), entered("bob")
    text = page(here, "/settings/sessions/")
    assert ">Firefox" in text and ">Chrome" in text and text.count("this one") == 1
    here.post("/settings/sessions/")
    assert is_in(here) and not is_in(there) and is_in(other)
    assert "Nowhere else." in page(here, "/settings/sessions/")
    assert UserSession.objects.filter(user=alice).count() == 1


def test_a_session_that_began_otherwise_is_listed_too(alice: User) -> None:
    assert "this one" in page(signed_in(alice), "/settings/sessions/")


def test_the_address_changes_once_the_new_one_is_confirmed(alice: User, mailoutbox: list[Any]) -> None:
    client = entered()
    client.post("/settings/confirm/", {"password": PASSWORD, "next": "/settings/email/"})
    client.post("/settings/email/", {"email": "Alice@new.example", "action_add": ""})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org" and "was sent to" in page(client, "/settings/email/")
    (mail,) = [mail for mail in mailoutbox if mail.to == ["alice@new.example"]]
    link = re.search(r"http://testserver(\S+)", mail.body)
    assert link and "That is right" in page(client, link[1])
    client.post(link[1])
    alice.refresh_from_db()
    assert alice.email == "alice@new.example"
    assert EmailAddress.objects.get(user=alice).verified
    assert "used or too old" in page(client, "/settings/email/guessed-key/")


def test_a_session_left_open_does_not_change_the_address(alice: User, mailoutbox: list[Any]) -> None:
    response = signed_in(alice).post("/settings/email/", {"email": "evil@example.net", "action_add": ""})
    assert response["Location"].startswith("/settings/confirm/") and mailoutbox == []


def test_an_address_of_others_is_not_told_apart(alice: User, bob: User, mailoutbox: list[Any]) -> None:
    client = entered()
    client.post("/settings/confirm/", {"password": PASSWORD, "next": "/settings/email/"})
    pages = []
    for address in ("bob@example.org", "free@example.org"):
        response = client.post("/settings/email/", {"email": address, "action_add": ""}, follow=True)
        pages.append(response.content.decode().replace(address, "X"))
    strip = [re.sub(r'value="\w{64}"|X-CSRFToken": "\w+"', "", text) for text in pages]
    assert strip[0] == strip[1]
