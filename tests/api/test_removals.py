"""What is being deleted, and another try."""

from typing import Any

import pytest

from accounts.models import Team, User
from materials import removing
from materials.models import Dataset, Removal
from tests.api.reaching import Speaker
from tests.materials.actors import films

pytestmark = pytest.mark.django_db
AT = "/api/v1/removals/"


@pytest.fixture
def gone(team: Team, alice: User, monkeypatch: pytest.MonkeyPatch) -> Removal:
    """A dataset of many texts: what belongs to it waits for a worker process."""
    monkeypatch.setattr(removing, "AT_ONCE", 0)
    films(team, {"good": 3})
    assert Speaker(alice).ask("DELETE", "/api/v1/datasets/films/").status_code == 204
    return Removal.objects.get()


def _failed(removal: Removal) -> None:
    Removal.objects.filter(pk=removal.pk).update(state="failed", error="It stopped.", tries=3)


def test_it_works(alice: User, gone: Removal) -> None:
    speaker = Speaker(alice)
    told = speaker.get(AT).json()["results"]
    assert [(one["name"], one["kind"], one["state"], one["total"]) for one in told] == [
        ("Films", "dataset", "waiting", 3)
    ]
    assert speaker.get("/api/v1/datasets/films/").status_code == 404
    assert speaker.get(f"{AT}{gone.pk}/").json() == told[0]


def test_what_failed_is_tried_again(alice: User, gone: Removal, django_capture_on_commit_callbacks: Any) -> None:
    _failed(gone)
    with django_capture_on_commit_callbacks() as sent:
        answer = Speaker(alice).post(f"{AT}{gone.pk}/retry/")
    assert (answer.status_code, answer.json()["state"], answer.json()["error"]) == (202, "waiting", "")
    assert len(sent) == 1


def test_what_goes_on_is_not_tried_again(alice: User, gone: Removal) -> None:
    assert Speaker(alice).post(f"{AT}{gone.pk}/retry/").status_code == 409


def test_owners_alone_delete_and_try_again(team: Team, eve: User, bob: User, gone: Removal) -> None:
    _failed(gone)
    films(team, {"good": 1}, name="Books")
    for user in (eve, bob):
        assert Speaker(user).post(f"{AT}{gone.pk}/retry/").status_code == 403
        assert Speaker(user).ask("DELETE", "/api/v1/datasets/books/").status_code == 403
        assert Speaker(user).get(f"{AT}{gone.pk}/").json()["error"] == "It stopped."
    assert Dataset.objects.filter(slug="books").exists()
