import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Text
from tests.campaigns.actors import draft
from tests.conftest import signed_in
from tests.materials.actors import films, sha256


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return draft(team)


def find(user: User, asked: str) -> str:
    return signed_in(user).get(reverse("search"), {"q": asked}).content.decode()


def test_it_works(alice: User, campaign: Campaign) -> None:
    text = Text.objects.create(
        dataset=campaign.dataset, key="odd-1", content="Ein FÄHRMANN setzt über", content_hash=sha256("x"), label="pos"
    )
    address = reverse("dataset_text", args=["films", text.pk])
    assert campaign.get_absolute_url() in find(alice, "words MATTER")
    assert campaign.dataset.get_absolute_url() in find(alice, "film")
    assert campaign.classifier.get_absolute_url() in find(alice, "org/critic")
    assert address in find(alice, "fährmann") and address in find(alice, "odd-1")


def test_nothing_found_says_what_is_searched(alice: User, campaign: Campaign) -> None:
    assert "Nothing found" in find(alice, "zebra") and "any part of them" in find(alice, "zebra")
    assert "Nothing found" not in find(alice, " ")


@pytest.mark.parametrize("asked", ["100%", "a_b", "\0", "\\", "'; DROP", "x" * 5000])
def test_no_character_means_more_than_itself(alice: User, campaign: Campaign, asked: str) -> None:
    assert campaign.get_absolute_url() not in find(alice, asked)


def test_of_many_some_are_shown_and_the_rest_is_told(alice: User, team: Team) -> None:
    films(team, {"pos": 30})
    assert "There are more" in find(alice, "word word")


def test_another_team_finds_nothing(charlie: User, campaign: Campaign) -> None:
    for asked in ("words matter", "films", "critic", "word word"):
        assert "Nothing found" in find(charlie, asked)


def test_its_queries_do_not_grow(alice: User, team: Team, campaign: Campaign) -> None:
    client, counts = signed_in(alice), []
    for name in ("Films two", "Films three"):
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("search"), {"q": "film"})
        counts.append(len(queries))
        films(team, {"pos": 40}, name=name.replace(" ", "-"))
    assert counts[0] == counts[1] <= 12


def test_it_is_for_researchers(client: Client, alice: User) -> None:
    assert client.get(reverse("search")).status_code == 302
    assert signed_in(alice).post(reverse("search")).status_code == 405
