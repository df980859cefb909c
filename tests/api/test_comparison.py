"""Two campaigns compared by the API, by the page's figures."""

from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from reports.contrasting import LARGE, SAME, contrast_of
from tests.api.reaching import Speaker, conforms
from tests.campaigns.actors import draft
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
PATH = "GET /api/v1/campaigns/{slug}/comparison/"


@pytest.fixture
def pair(team: Team) -> list[Campaign]:
    return [judged_campaign(team, protocol=f"{kind}_simulation") for kind in ("forward", "counterfactual")]


def _compared(user: User, one: str, other: str) -> Any:
    return Speaker(user).get(f"/api/v1/campaigns/{one}/comparison/?with={other}")


def test_it_works(pair: list[Campaign], bob: User) -> None:
    one, other = pair
    answer = _compared(bob, one.slug, other.slug)
    conforms(PATH, answer)
    told, found = answer.json(), contrast_of(one, other)
    assert (told["one"], told["other"], told["status"], told["paired"]) == (one.slug, other.slug, "ok", None)
    assert told["measure"] == found.measure.name and told["methods"] == found.rows and len(found.rows) == 2
    assert told["methods"][0]["difference"] == told["methods"][0]["other"] - told["methods"][0]["one"]


def test_what_has_nothing_in_common_says_why(team: Team, pair: list[Campaign], bob: User) -> None:
    answer = _compared(bob, pair[0].slug, judged_campaign(team, protocol="rating").slug)
    conforms(PATH, answer)
    assert (answer.json()["status"], answer.json()["methods"]) == ("other_measure", [])


def test_what_cannot_be_compared_is_told(
    team: Team, pair: list[Campaign], bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = pair[0].slug
    assert _compared(bob, slug, slug).json()["detail"] == SAME
    assert _compared(bob, slug, "").status_code == 400
    assert _compared(bob, slug, draft(team).slug).status_code == 422, "it has no answers"
    monkeypatch.setattr("reports.contrasting.is_too_large", lambda campaign: True)
    answer = _compared(bob, slug, pair[1].slug)
    assert (answer.status_code, answer.json()["detail"]) == (422, LARGE.format(pair[0].name))


def test_campaigns_of_others_are_not_known(pair: list[Campaign], bob: User, charlie: User) -> None:
    assert _compared(charlie, pair[0].slug, pair[1].slug).status_code == 404
    assert _compared(bob, pair[0].slug, "nothing").status_code == 404
