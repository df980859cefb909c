"""What a researcher sees of each protocol before launch."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign, Condition
from protocols import PROTOCOLS
from tests.campaigns.actors import ready
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db
# Edited texts and solved examples have tests of their own.
PLAIN = [name for name, one in PROTOCOLS.items() if one.maps and not one.edits and not one.learning]


def page_of(user: User, campaign: Campaign, **query: Any) -> str:
    response = signed_in(user).get(reverse("campaign_preview", args=[campaign.slug]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("name", PLAIN)
def test_it_works(team: Team, alice: User, name: str) -> None:
    campaign = ready(team, protocol=name)
    page = page_of(alice, campaign)
    assert PROTOCOLS[name].default_question in page and 'class="preview-frame"' in page
    assert 'type="submit"' not in page.partition('class="preview-frame"')[2].partition("<details")[0]


@pytest.mark.parametrize("name", PLAIN)
def test_every_display_and_baseline_has_a_preview(team: Team, alice: User, name: str) -> None:
    displays, baselines = list(PROTOCOLS[name].displays), list(PROTOCOLS[name].baselines)
    campaign = ready(team, protocol=name, displays=displays or ["colour"], baselines=baselines)
    conditions = Condition.objects.filter(campaign=campaign)
    assert {one.display for one in conditions} >= set(displays)
    assert {one.method for one in conditions} >= set(baselines)
    for position in range(1, conditions.count() + 1):
        assert "preview-frame" in page_of(alice, campaign, condition=position)
    assert ("bars under words</option>" in page_of(alice, campaign)) == ("bars" in displays)


def test_words_are_uncovered_step_by_step(team: Team, alice: User) -> None:
    campaign = ready(team, protocol="reveal")
    assert page_of(alice, campaign).count('class="shown"') == 1
    page = page_of(alice, campaign, step=3)
    assert page.count('class="shown"') == 4 and 'name="step" min="0"' in page
    assert "There are no more." in page_of(alice, campaign, step=9999)


def test_another_worker_may_see_the_sides_swapped(team: Team, alice: User) -> None:
    campaign = ready(team, protocol="pairwise")
    pages = [page_of(alice, campaign, worker=number) for number in range(1, 9)]
    assert len({page.index('value="first"') < page.index('value="second"') for page in pages}) == 2


@pytest.mark.parametrize("query", [{"step": "x"}, {"step": "-1"}, {"worker": "0"}, {"worker": "1" * 40}])
def test_nonsense_in_the_address_shows_the_first(team: Team, alice: User, query: dict[str, str]) -> None:
    assert page_of(alice, ready(team, protocol="reveal"), **query).count('class="shown"') == 1


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        ("topk_guess", "the right answer is"),
        ("rating", "the explained label is"),
        ("pairwise", "the explained label is"),
        ("rationale_marking", "the label to justify is"),
    ],
)
def test_the_label_is_called_what_it_is(team: Team, alice: User, protocol: str, said: str) -> None:
    assert f"{said} “" in page_of(alice, ready(team, protocol=protocol))
