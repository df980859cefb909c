from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Team, User
from analysis.planning.assumptions import DEFAULTS
from analysis.planning.designing import Design, Pay
from campaigns.designing import PRACTICE_ITEMS, Cell, estimate, groups_of
from campaigns.models import Campaign
from protocols import PROTOCOLS
from reports import planning_forms
from tests.campaigns.actors import draft
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
URL = "/campaigns/plan/"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_forms, "BUDGET", 50_000)


def page(client: Client, **asked: Any) -> str:
    response = client.get(URL, asked)
    assert response.status_code == 200
    return response.content.decode()


def test_it_works(alice: User) -> None:
    shown = page(signed_in(alice), protocol="rating", effect="0.8", judgments="3")
    assert "texts, judged 3 times each under each of 2 conditions" in shown
    assert "find a difference of 0.8 points (4 against 4.8)" in shown and "before fees" in shown
    assert shown.count("<svg") == 3 and "style=" not in shown
    assert '<th scope="col" class="num">Power</th>' in shown and "protocol=rating&amp;texts=" in shown


def test_first_it_only_asks(alice: User) -> None:
    shown = page(signed_in(alice))
    assert "What you want to know" in shown and "It takes" not in shown and 'placeholder="0.43"' in shown


@pytest.mark.parametrize("protocol", ["rationale_marking", "word_importance", "pairwise"])
def test_other_protocols_say_what_they_can(protocol: str, alice: User) -> None:
    shown = page(signed_in(alice), protocol=protocol)
    assert ('<th scope="col" class="num">Power</th>' in shown) == (protocol == "pairwise") and "<svg" in shown


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"base": "9"}, "the base must lie between 1 and 7, and is 9"),
        ({"judgments": "0"}, "greater than or equal to 1"),
        ({"protocol": "none"}, "Select a valid choice"),
        ({"base": "much"}, "Enter a number"),
        ({"pilot": "nowhere"}, "Select a valid choice"),
    ],
)
def test_it_rejects_what_cannot_be_planned(given: dict[str, str], said: str, alice: User) -> None:
    shown = page(signed_in(alice), **({"protocol": "rating"} | given))
    assert said in shown and "It takes" not in shown


def test_it_asks_to_sign_in_and_takes_no_post(client: Client, alice: User) -> None:
    assert client.get(URL).headers["Location"].startswith("/sign-in/")
    assert signed_in(alice).post(URL).status_code == 405


def test_who_may_only_read_plans_but_starts_nothing(bob: User) -> None:
    shown = page(signed_in(bob), protocol="rating")
    assert "It takes" in shown and "Use this design" not in shown


def test_the_answer_is_kept(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(alice)
    first = page(client, protocol="rating", effect="0.9").split("<main")[1]
    monkeypatch.setattr("reports.planning_pages.make_plan", None)
    assert page(client, protocol="rating", effect="0.9").split("<main")[1] == first


def test_a_campaign_with_judgments_is_a_pilot(alice: User, team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judged_campaign(team)
    client = signed_in(alice)
    # Nobody ever guessed from what Random shows.
    shown = page(client, protocol="topk_guess", pilot=campaign.slug)
    assert "the base must lie between 0 and 1, and is 0: give another" in shown
    shown = page(client, protocol="topk_guess", pilot=campaign.slug, base="0.5")
    assert "From the pilot: Random scores" in shown and "4 texts, " in shown and "the effect is not from it" in shown
    call_command("plan", f"--campaign={campaign.slug}", "--base=0.5", "--texts=40", "--simulate=50000", verbosity=0)
    assert "From the pilot: Random scores" in capsys.readouterr().out


def test_a_pilot_must_be_one_that_can_be_read_and_asked_the_same(alice: User, charlie: User, team: Team) -> None:
    campaign = draft(team)
    assert "Select a valid choice" in page(signed_in(alice), protocol="topk_guess", pilot=campaign.slug)
    campaign.state = "live"
    campaign.save()
    assert "This campaign asked something else" in page(signed_in(alice), protocol="rating", pilot=campaign.slug)
    assert "fewer than two texts" in page(signed_in(alice), protocol="topk_guess", pilot=campaign.slug)
    assert "Select a valid choice" in page(signed_in(charlie), protocol="topk_guess", pilot=campaign.slug)


def test_the_list_and_the_start_of_a_campaign_lead_here(alice: User) -> None:
    for address in ("/campaigns/", "/campaigns/new/"):
        assert f'href="{URL}"' in signed_in(alice).get(address).content.decode()


@pytest.mark.parametrize("allocation", [choice.value for choice in Campaign.Allocation])
def test_workers_minutes_and_pay_are_those_of_the_wizard(allocation: str) -> None:
    design = Design(37, 4, methods=3, steps=2, load=25, allocation=allocation)
    groups = groups_of(allocation, [Cell(f"m{arm}", k=k) for arm in range(3) for k in (5, 10)])
    known = estimate(37, 6, 4, 25, 20, Decimal(2), aside=PRACTICE_ITEMS, groups=groups)
    cost = Pay(hourly=8.0, per_worker=2.0).of(design, 20)
    assert (cost.workers, design.total) == (known.workers, known.judgments)
    assert cost.minutes == pytest.approx(known.minutes) and cost.pay == float(known.pay)
    assert cost.hourly == pytest.approx(float(known.hourly), abs=0.006)


def test_every_protocol_has_assumptions() -> None:
    assert set(DEFAULTS) == set(PROTOCOLS)
