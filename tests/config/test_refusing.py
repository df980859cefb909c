"""Addresses that nothing can answer."""

import pytest

from accounts.models import Team, User
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    ["compare/?a=%00", "films-topk-guess/report/text/?key=%00", "films-topk-guess/judgments/?text=%00"],
)
def test_a_query_for_what_no_text_holds_is_refused_and_not_asked_of_the_database(
    team: Team, alice: User, name: str
) -> None:
    judged_campaign(team)
    assert signed_in(alice).get(f"/campaigns/{name}").status_code == 400


def test_other_queries_pass(team: Team, alice: User) -> None:
    judged_campaign(team)
    assert signed_in(alice).get("/campaigns/films-topk-guess/judgments/?text=%2500").status_code == 200
