import re
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import reverse

from accounts.joining import ensure_team
from accounts.models import Membership, Team, User
from config import settings as ours
from tests.conftest import PASSWORD, signed_in


def test_it_works(client: Client, alice: User) -> None:
    response = client.post(reverse("login"), {"username": "alice", "password": PASSWORD})
    assert response.status_code == 302 and response.headers["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_it_goes_on_to_the_page_that_was_asked_for(client: Client, alice: User) -> None:
    asked = client.get(reverse("dataset_list"))
    assert asked.headers["Location"] == "/sign-in/?next=/datasets/"
    response = client.post(reverse("login"), {"username": "alice", "password": PASSWORD, "next": "/datasets/"})
    assert response.headers["Location"] == "/datasets/"


def test_a_wrong_password_is_told_beside_the_form(client: Client, alice: User) -> None:
    response = client.post(reverse("login"), {"username": "alice", "password": "guess"})
    assert response.status_code == 200
    assert b"Please enter a correct username and password" in response.content


def test_it_does_not_lead_elsewhere(client: Client, alice: User) -> None:
    data = {"username": "alice", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post(reverse("login"), data).headers["Location"] == reverse("home")


@pytest.mark.django_db
def test_the_first_user_founds_a_team(client: Client) -> None:
    user = User.objects.create_superuser("root", password=PASSWORD)
    client.post(reverse("login"), {"username": "root", "password": PASSWORD})
    membership = Membership.objects.get(user=user)
    assert (membership.team.name, membership.role) == ("root's team", Membership.Role.OWNER)


def test_a_member_founds_no_other_team(alice: User, team: Team) -> None:
    assert ensure_team(alice) == team
    assert Team.objects.count() == 1


def test_signing_out_needs_a_post(alice: User) -> None:
    client = signed_in(alice)
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).headers["Location"] == reverse("login")
    assert client.get(reverse("campaign_list")).status_code == 302


def test_one_signs_in_by_the_address_too(client: Client, alice: User) -> None:
    client.post(reverse("login"), {"username": "Alice@Example.org", "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(alice.pk)


def wrong(client: Client, name: str, address: str = "192.0.2.1") -> str:
    return client.post(reverse("login"), {"username": name, "password": "guess"}, REMOTE_ADDR=address).content.decode()


def without(page: str, *parts: str) -> str:
    for part in parts:
        page = page.replace(part, "")
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|X-CSRFToken": "\w+"', "", page)


def test_a_name_that_nobody_has_is_answered_as_one_that_somebody_has(client: Client, alice: User) -> None:
    for known, unknown in (("alice", "nobody"), ("alice@example.org", "nobody@example.org")):
        assert without(wrong(client, known), known) == without(wrong(client, unknown), unknown)


@pytest.mark.usefixtures("throttled")
@pytest.mark.parametrize("name", ["alice", "nobody"])
def test_a_name_is_tried_five_times_wherever_from(client: Client, alice: User, name: str) -> None:
    answers = [wrong(client, name, f"192.0.2.{number}") for number in range(1, 7)]
    assert ["Too many sign-ins have failed" in answer for answer in answers] == [False] * 5 + [True]
    right = {"username": name, "password": PASSWORD}
    assert "Too many" in client.post(reverse("login"), right, REMOTE_ADDR="192.0.2.9").content.decode()
    other = client.post(reverse("login"), {"username": "eve", "password": "x"}, REMOTE_ADDR="192.0.2.9")
    assert "Please enter a correct username" in other.content.decode()


@pytest.mark.usefixtures("throttled")
@pytest.mark.django_db
def test_an_address_tries_twenty_names(client: Client) -> None:
    answers = [wrong(client, f"name{number}") for number in range(21)]
    assert ["Too many sign-ins have failed" in answer for answer in answers] == [False] * 20 + [True]
    assert "Please enter a correct" in wrong(client, "name22", "192.0.2.2")


@pytest.mark.usefixtures("throttled")
def test_signing_in_is_not_counted_as_a_failure(alice: User) -> None:
    for _ in range(7):
        assert Client().post(reverse("login"), {"username": "alice", "password": PASSWORD}).status_code == 302


@pytest.mark.usefixtures("throttled")
def test_a_flood_is_stopped_before_any_password_is_looked_at(client: Client, alice: User) -> None:
    data = {"username": "alice", "password": ""}
    codes = [client.post(reverse("login"), data, REMOTE_ADDR="192.0.2.7").status_code for _ in range(31)]
    assert codes == [200] * 30 + [429]


def test_passwords_are_kept_by_argon2(alice: User, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ours.PASSWORD_HASHERS
    alice.set_password(PASSWORD)
    assert alice.password.startswith("argon2$argon2id$")


def test_an_older_hash_is_made_anew_at_the_next_sign_in(client: Client, alice: User, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ours.PASSWORD_HASHERS
    User.objects.filter(pk=alice.pk).update(password=make_password(PASSWORD, hasher="pbkdf2_sha256"))
    client.post(reverse("login"), {"username": "alice", "password": PASSWORD})
    alice.refresh_from_db()
    assert alice.password.startswith("argon2")


def test_a_closed_account_does_not_sign_in(client: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    response = client.post(reverse("login"), {"username": "alice", "password": PASSWORD}, follow=True)
    assert "This account is closed" in response.content.decode() and "_auth_user_id" not in client.session


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/sign-up/", "/signup/", "/accounts/signup/"])
def test_nobody_signs_up_unasked(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
