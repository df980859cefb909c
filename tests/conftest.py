from collections.abc import Iterator

import pytest
from django.test import Client

from accounts.access import found_team
from accounts.models import Membership, Team, User

PASSWORD = "a long enough pass phrase"


@pytest.fixture
def team(db: None) -> Team:
    return Team.objects.create(name="Saliency lab")


def _person(name: str, team: Team | None, role: str = "") -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    if team:
        Membership.objects.create(team=team, user=user, role=role)
    return user


@pytest.fixture
def alice(team: Team) -> User:
    """A researcher who owns the team."""
    return _person("alice", team, Membership.Role.OWNER)


@pytest.fixture
def bob(team: Team) -> User:
    """A collaborator who only reads."""
    return _person("bob", team, Membership.Role.VIEWER)


@pytest.fixture
def charlie(db: None) -> User:
    """A researcher of another team: no access."""
    user = _person("charlie", None)
    found_team(user, "Another lab")
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def plain_http(settings: object) -> Iterator[None]:
    """Tests speak HTTP without TLS and hash passwords fast."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    yield
