import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from materials.models import Dataset
from tests.conftest import PASSWORD, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(alice: User) -> Dataset:
    return Dataset.objects.create(team=alice.teams.get(), name="Reviews", slug="reviews")


@pytest.fixture(autouse=True)
def no_throttle_from_other_tests() -> None:
    cache.clear()


def test_it_works_with_a_token(client: Client, alice: User, dataset: Dataset) -> None:
    token = client.post("/api/v1/token/", {"username": "alice", "password": PASSWORD}).json()["token"]
    response = client.get("/api/v1/datasets/", headers={"authorization": f"Token {token}"})
    assert [row["slug"] for row in response.json()["results"]] == ["reviews"]


def test_nobody_reads_without_a_token(client: Client, dataset: Dataset) -> None:
    assert client.get("/api/v1/datasets/reviews/").status_code == 401


def test_another_team_s_rows_do_not_exist(charlie: User, dataset: Dataset) -> None:
    assert signed_in(charlie).get("/api/v1/datasets/reviews/").status_code == 404


def test_an_analyst_reads_and_does_not_write(bob: User, dataset: Dataset) -> None:
    client = signed_in(bob)
    assert client.get("/api/v1/datasets/reviews/").json()["name"] == "Reviews"
    assert client.delete("/api/v1/datasets/reviews/").status_code == 403


def test_guessing_passwords_is_slowed_down(client: Client, alice: User) -> None:
    answers = [client.post("/api/v1/token/", {"username": "alice", "password": "no"}).status_code for _ in range(12)]
    assert answers[0] == 400 and answers[-1] == 429


def test_the_schema_names_every_resource(alice: User) -> None:
    schema = signed_in(alice).get("/api/schema/", headers={"accept": "application/json"}).json()
    assert {"/api/v1/datasets/", "/api/v1/classifiers/", "/api/v1/campaigns/"} <= set(schema["paths"])
