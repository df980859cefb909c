from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import Team
from judging.models import Participation
from judging.rehearsing import rehearsal_links
from recruitment import PROVIDERS
from tests.judging.building import live_campaign

pytestmark = pytest.mark.django_db


def queries(links: list[str]) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(link).query) for link in links]


@pytest.mark.parametrize("recruitment", PROVIDERS)
def test_everybody_comes_in_and_the_same_seed_brings_the_same_workers(team: Team, recruitment: str) -> None:
    campaign = live_campaign(team, recruitment=recruitment)
    for _ in range(2):
        for link in rehearsal_links(campaign, f"/w/{campaign.slug}/", 7, 3):
            response = Client().get(link, follow=True)
            assert response.status_code == 200 and "I agree" in response.content.decode()
    assert Participation.objects.count() == 3
    assert all("simulated" in one.parameters for one in Participation.objects.all())
    rehearsal = rehearsal_links(campaign, f"/w/{campaign.slug}/", 8, 2)
    Client().get(rehearsal[0], follow=True)
    assert Participation.objects.count() == 4


def test_workers_are_named_as_the_provider_names_them(team: Team) -> None:
    prolific = live_campaign(team, recruitment="prolific", worker_parameter="who")
    assert queries(rehearsal_links(prolific, "/w/a/", 0, 1)) == [
        {"PROLIFIC_PID": ["simulated-0-0"], "simulated": ["1"]}
    ]
    panel = live_campaign(team, slug="panel", recruitment="panel", worker_parameter="who")
    assert queries(rehearsal_links(panel, "/w/a/", 0, 1)) == [{"who": ["simulated-0-0"], "simulated": ["1"]}]


def test_tickets_of_two_campaigns_differ(team: Team) -> None:
    first, second = (live_campaign(team, slug=slug, recruitment="invitation") for slug in ("one", "two"))
    tickets = [queries(rehearsal_links(one, "/w/a/", 0, 2)) for one in (first, second)]
    assert len({one["invitation"][0] for found in tickets for one in found}) == 4
