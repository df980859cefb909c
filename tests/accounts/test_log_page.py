from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse

from accounts.auditing import Act, record
from accounts.models import AuditEntry, Team, User
from tests.conftest import signed_in


@pytest.fixture
def filled(team: Team, alice: User, eve: User, charlie: User) -> Team:
    record(alice, team, Act.LAUNCHED, "Which words matter", judgments=40)
    record(eve, team, Act.DELETED, "Films <b>")
    record(None, team, Act.CLOSED, "Which words matter")
    record(charlie, Team.objects.get(members=charlie), Act.DELETED, "Elsewhere")
    AuditEntry.objects.filter(act=Act.LAUNCHED).update(at=datetime(2026, 3, 1, 23, 59, tzinfo=UTC))
    return team


def shown(user: User, team: Team, query: str = "", status: int = 200) -> str:
    response = signed_in(user).get(reverse("team_log", args=[team.pk]) + query)
    assert response.status_code == status
    text = response.content.decode()
    return str(text[text.index('aria-labelledby="log"') :])


def test_it_works(filled: Team, alice: User) -> None:
    text = shown(alice, filled)
    assert "3 acts" in text and "launched" in text and "judgments: 40" in text and "the system" in text
    assert "Films &lt;b&gt;" in text and "Elsewhere" not in text


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("?person=eve", ["Films"]),
        ("?act=launched", ["1 Mar 2026, 23:59"]),
        ("?q=films", ["Films"]),
        ("?until=2026-03-01", ["1 Mar 2026, 23:59"]),
        ("?since=2026-03-02", ["Films", "closed"]),
        ("?person=eve&act=launched", []),
    ],
)
def test_it_is_narrowed(filled: Team, alice: User, query: str, left: list[str]) -> None:
    text = shown(alice, filled, query)
    assert f"{len(left)} act" in text and all(one in text for one in left)


@pytest.mark.parametrize("query", ["?since=yesterday", "?person=nobody", "?act=juggled", "?q=%00"])
def test_an_odd_filter_is_told(filled: Team, alice: User, query: str) -> None:
    shown(alice, filled, query, status=400)


def test_it_has_pages(team: Team, alice: User, django_assert_max_num_queries: Any) -> None:
    for number in range(120):
        record(alice, team, Act.EDITED, f"Thing {number:03}")
    assert "Thing 119" in shown(alice, team) and "Thing 069" not in shown(alice, team)
    client = signed_in(alice)
    with django_assert_max_num_queries(8):
        page = client.get(reverse("team_log", args=[team.pk]), {"page": 3}).content.decode()
    assert "Thing 019" in page and "Thing 020" not in page


def test_an_act_that_is_no_longer_known_is_still_told(team: Team, alice: User) -> None:
    record(alice, team, Act.EDITED, "Films")
    AuditEntry.objects.update(act="juggled")
    assert "juggled" in shown(alice, team)


def test_an_empty_one_says_so(team: Team, alice: User) -> None:
    assert "Nothing has been done yet." in shown(alice, team)
