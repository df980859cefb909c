"""Addresses that ask for what no text in the database can hold."""

import pytest

from accounts.models import Team, User
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("compare/?a=%00", 404),
        ("compare/?a=%00&b=%00", 404),
        ("films-topk-guess/report/text/?key=%00", 404),
        ("films-topk-guess/judgments/?text=%00", 200),
        ("films-topk-guess/judgments/?worker=%00", 404),
        ("films-topk-guess/report/?method=%00", 400),
        ("films-topk-guess/judgments/?text=%2500", 200),
    ],
)
def test_they_find_nothing_and_break_nothing(team: Team, alice: User, name: str, status: int) -> None:
    judged_campaign(team)
    assert signed_in(alice).get(f"/campaigns/{name}").status_code == status
