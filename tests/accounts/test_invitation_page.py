from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.inviting import find, invite, withdraw
from accounts.models import Membership, Team, User
from tests.conftest import PASSWORD, signed_in

Role = Membership.Role
NEW = {"username": "dora", "email": "Dora@example.org", "password": PASSWORD}


def opened(client: Client, token: str) -> str:
    return client.get(reverse("invitation", args=[token]), follow=True).content.decode()


def test_it_works(client: Client, alice: User, team: Team) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    first = client.get(reverse("invitation", args=[token]))
    assert first["Location"] == "/join/" and "no-store" in first["Cache-Control"]
    text = client.get("/join/").content.decode()
    assert "Join Saliency lab" in text and "alice invites you" in text and token not in text
    response = client.post("/join/", NEW)
    assert response["Location"] == reverse("team", args=[team.pk])
    dora = User.objects.get(username="dora")
    assert client.session["_auth_user_id"] == str(dora.pk) and dora.check_password(PASSWORD)
    assert Membership.objects.get(user=dora).role == Role.EDITOR and dora.current_team == team
    address = EmailAddress.objects.get(user=dora)
    assert (address.email, address.primary, address.verified) == ("dora@example.org", True, False)
    assert Team.objects.filter(members=dora).count() == 1


def test_an_address_that_was_invited_is_taken_as_it_is(client: Client, alice: User, team: Team) -> None:
    _, token = invite(team, alice, Role.ANALYST, "dora@example.org")
    assert 'name="email"' not in opened(client, token)
    client.post("/join/", NEW | {"email": "evil@example.org"})
    assert EmailAddress.objects.get().email == "dora@example.org" and EmailAddress.objects.get().verified


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"username": "alice"}, "already exists"),
        ({"username": "a b"}, "Enter a valid username"),
        ({"password": "short"}, "This password is too short"),
        ({"password": "dora@example.org"}, "too similar to the email"),
        ({"email": ""}, "This field is required"),
    ],
)
def test_what_is_wrong_is_told_and_the_invitation_stays(
    client: Client, alice: User, team: Team, change: dict[str, str], told: str
) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    opened(client, token)
    response = client.post("/join/", NEW | change)
    assert response.status_code == 422 and told in response.content.decode()
    assert find(token) and not User.objects.filter(username="dora").exists()


def test_who_has_an_account_joins_with_it(alice: User, charlie: User, team: Team) -> None:
    _, token = invite(team, alice, Role.ANALYST)
    client = signed_in(charlie)
    assert "Join as charlie" in opened(client, token)
    response = client.post("/join/", follow=True)
    assert "You are now in Saliency lab." in response.content.decode()
    assert Membership.objects.get(user=charlie, team=team).role == Role.ANALYST


def test_signing_in_leads_back_to_it(client: Client, alice: User, charlie: User, team: Team) -> None:
    _, token = invite(team, alice, Role.ANALYST)
    assert 'href="/sign-in/?next=/join/"' in opened(client, token)
    response = client.post("/sign-in/", {"username": "charlie", "password": PASSWORD, "next": "/join/"}, follow=True)
    assert "Join as charlie" in response.content.decode()


def test_an_account_with_the_invited_address_is_to_be_used(
    client: Client, alice: User, charlie: User, team: Team
) -> None:
    _, token = invite(team, alice, Role.ANALYST, "charlie@example.org")
    opened(client, token)
    response = client.post("/join/", NEW)
    assert response.status_code == 422
    assert "There is an account of charlie@example.org already" in response.content.decode()


def test_a_member_is_told_so(alice: User, bob: User, team: Team) -> None:
    _, token = invite(team, alice, Role.OWNER)
    client = signed_in(bob)
    opened(client, token)
    response = client.post("/join/")
    assert response.status_code == 409 and "You are in Saliency lab already" in response.content.decode()
    assert Membership.objects.get(user=bob).role == Role.ANALYST


def test_a_withdrawn_one_makes_no_account(client: Client, alice: User, team: Team) -> None:
    invitation, token = invite(team, alice, Role.EDITOR)
    opened(client, token)
    withdraw(invitation, alice)
    response = client.post("/join/", NEW)
    assert response.status_code == 404 and "used, withdrawn or too old" in response.content.decode()
    assert not User.objects.filter(username="dora").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/join/", "/invitations/guessed/"])
def test_without_an_invitation_there_is_nothing(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
    assert "sessionid" not in client.cookies


@pytest.mark.usefixtures("throttled")
def test_accounts_are_not_made_by_the_dozen(client: Client, alice: User, team: Team, mailoutbox: list[Any]) -> None:
    _, token = invite(team, alice, Role.EDITOR)
    opened(client, token)
    codes = [client.post("/join/", NEW | {"password": "x"}).status_code for _ in range(21)]
    assert codes == [422] * 20 + [429]
