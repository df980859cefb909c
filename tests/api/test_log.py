"""Who did what in a team, for its owners' programs."""

import pytest
from django.utils import timezone

from accounts.auditing import Act, record
from accounts.models import Team, User
from tests.api.reaching import Speaker

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(team: Team, alice: User, eve: User) -> str:
    record(alice, team, Act.CREATED, "Films", texts=3)
    record(eve, team, Act.DELETED, "Books")
    record(None, team, Act.ERASED, "Guess")
    return f"/api/v1/teams/{team.pk}/log/"


def _names(speaker: Speaker, address: str) -> list[str]:
    answer = speaker.get(address)
    assert answer.status_code == 200, answer.content
    return [one["subject"] for one in answer.json()["results"]]


def test_it_works(alice: User, at: str) -> None:
    speaker = Speaker(alice, ("teams:read",))
    rows = speaker.get(f"{at}?page_size=3").json()["results"]
    assert [(one["person"], one["act"], one["subject"], one["detail"]) for one in rows[:2]] == [
        ("alice", "token_made", "test", {"scopes": "teams:read"}),
        ("", "erased", "Guess", {}),
    ]
    following = speaker.get(speaker.get(f"{at}?page_size=3").json()["next"]).json()
    assert [one["detail"] for one in following["results"]] == [{"texts": 3}] and following["next"] is None


def test_it_is_narrowed_as_on_the_page(alice: User, at: str) -> None:
    speaker, today = Speaker(alice), timezone.now().date().isoformat()
    assert _names(speaker, f"{at}?person=eve") == ["Books"]
    assert _names(speaker, f"{at}?act=created") == ["Films"]
    assert _names(speaker, f"{at}?q=boo&since={today}&until={today}") == ["Books"]
    assert _names(speaker, f"{at}?until=2001-01-01") == []


@pytest.mark.parametrize("wrong", ["act=danced", "since=soon", "until=2026-02-31", "until=", "q=%00"])
def test_what_makes_no_sense_is_told(alice: User, at: str, wrong: str) -> None:
    answer = Speaker(alice).get(f"{at}?{wrong}")
    assert answer.status_code == 400 and answer.json()["errors"][0]["pointer"] == f"/{wrong.split('=')[0]}"


def test_owners_alone_read_it(eve: User, bob: User, charlie: User, at: str) -> None:
    assert [Speaker(user).get(at).status_code for user in (eve, bob, charlie)] == [403, 403, 404]
