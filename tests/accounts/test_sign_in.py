import pytest
from django.test import Client
from django.urls import reverse

from accounts.joining import ensure_team
from accounts.models import Membership, Team, User
from tests.conftest import PASSWORD, signed_in


def test_it_works(client: Client, alice: User) -> None:
    response = client.post(reverse("login"), {"username": "alice", "password": PASSWORD})
    assert response.status_code == 302 and response.headers["Location"] == reverse("campaign_list")
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
    assert client.post(reverse("login"), data).headers["Location"] == reverse("campaign_list")


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
