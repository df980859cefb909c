"""Addresses end in a slash. Without it, nothing that was sent is lost in silence."""

import pytest

from accounts.models import Team, User
from tests.api.reaching import Speaker

pytestmark = pytest.mark.django_db
DATASETS = "/api/v1/datasets"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_is_sent_is_told_the_right_address(team: Team, alice: User, method: str) -> None:
    answer = Speaker(alice).ask(method, DATASETS, {"name": "Films"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["detail"].endswith(f"send this to {DATASETS}/.")
    assert not team.datasets.exists()


def test_who_reads_is_led_on_with_what_was_asked(alice: User) -> None:
    answer = Speaker(alice).get(f"{DATASETS}?page_size=1&q=a%20b")
    assert (answer.status_code, answer.headers["Location"]) == (301, f"{DATASETS}/?page_size=1&q=a%20b")
    assert Speaker().get("/api/schema").headers["Location"] == "/api/schema/"


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/%00", "/api/v1/a%0A"])
def test_no_address_is_named_where_there_is_none(alice: User, path: str) -> None:
    answer = Speaker(alice).post(path, {})
    assert answer.status_code == 404 and "lists those there are" in answer.json()["detail"]
