"""Simulated workers on a real server, over real HTTP."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from accounts.models import Membership, Team, User
from campaigns.models import Campaign
from judging.models import Judgment, Participation
from recruitment import PROVIDERS
from reports.aggregating import study_of
from reports.reporting import build_report
from tests.judging.building import live_campaign, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def team(transactional_db: None) -> Team:
    team = Team.objects.create(name="Saliency lab")
    Membership.objects.create(team=team, user=User.objects.create_user("alice"), role=Membership.Role.OWNER)
    return team


def simulate(campaign: str, live_server: LiveServer, **options: Any) -> None:
    call_command("simulate_crowd", campaign, url=live_server.url, **{"workers": 4, "at_once": 4, **options})


def test_it_works(live_server: LiveServer, team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = live_campaign(team)
    simulate(campaign.slug, live_server)
    assert "simulated workers (3 honest, 1 careless, 0 malicious)" in capsys.readouterr().out
    assert Participation.objects.filter(state=Participation.State.COMPLETED).count() == 4
    assert Judgment.objects.count() == sum(Participation.objects.values_list("quota", flat=True))
    assert not Judgment.objects.filter(response_ms=None).exists()


def test_the_same_seed_resumes_the_same_workers(live_server: LiveServer, team: Team) -> None:
    campaign = live_campaign(team)
    simulate(campaign.slug, live_server)
    before = Judgment.objects.count()
    simulate(campaign.slug, live_server)
    assert (Participation.objects.count(), Judgment.objects.count()) == (4, before)


@pytest.mark.parametrize("recruitment", [name for name in PROVIDERS if name != "open_link"])
def test_they_come_in_however_workers_are_recruited(live_server: LiveServer, team: Team, recruitment: str) -> None:
    parameter = PROVIDERS[recruitment].parameter or "id"
    campaign = live_campaign(team, texts=2, recruitment=recruitment, worker_parameter=parameter)
    simulate(campaign.slug, live_server, workers=2)
    assert Participation.objects.filter(state=Participation.State.COMPLETED).count() == 2
    assert all("simulated" in one.parameters for one in Participation.objects.all())


def test_a_script_is_warned_of_a_campaign_that_is_no_copy(
    live_server: LiveServer, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = live_campaign(team, texts=2)
    simulate(campaign.slug, live_server, workers=1)
    told = capsys.readouterr().err
    assert f"{campaign.slug} is no copy: simulated workers fill the places" in told
    assert Judgment.objects.exists()


def test_a_copy_is_taken_without_a_word(
    live_server: LiveServer, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = live_campaign(team, texts=2)
    original = live_campaign(team, texts=2, slug="original")
    Campaign.objects.filter(pk=campaign.pk).update(copied_from=original)
    simulate(campaign.slug, live_server, workers=1)
    assert "is no copy" not in capsys.readouterr().err


def test_at_a_terminal_it_asks_first(
    live_server: LiveServer, team: Team, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = live_campaign(team, texts=2)
    answers = iter(["", campaign.slug])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _asked: next(answers))
    with pytest.raises(CommandError, match="Nothing was simulated"):
        simulate(campaign.slug, live_server, workers=1)
    assert not Participation.objects.exists()
    simulate(campaign.slug, live_server, workers=1)
    assert Judgment.objects.exists()
    simulate(campaign.slug, live_server, workers=1, yes=True)


def test_a_campaign_that_is_not_live_is_told(live_server: LiveServer, team: Team) -> None:
    campaign = live_campaign(team)
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.PAUSED)
    with pytest.raises(CommandError, match=r"is not live but paused"):
        simulate(campaign.slug, live_server)


def test_an_unknown_campaign_is_told(live_server: LiveServer) -> None:
    with pytest.raises(CommandError, match="No campaign is called 'nowhere'"):
        simulate("nowhere", live_server)


@pytest.mark.parametrize("options", [{"honest": -1.0}, {"honest": float("nan")}, {"workers": 0}, {"at_once": 0}])
def test_it_refuses_nonsense(live_server: LiveServer, team: Team, options: dict[str, Any]) -> None:
    with pytest.raises(CommandError) as raised:
        simulate(live_campaign(team).slug, live_server, **options)
    assert raised.value.returncode == 2


def test_a_server_that_is_not_there_is_told(team: Team) -> None:
    with pytest.raises(CommandError, match="http://localhost:9/w/"):
        call_command("simulate_crowd", live_campaign(team).slug, workers=1, url="http://localhost:9")


def test_it_does_not_mix_with_real_workers(live_server: LiveServer, team: Team) -> None:
    campaign = live_campaign(team)
    worker(campaign, "a person")
    campaign.participations.update(started_at=timezone.now())
    with pytest.raises(CommandError, match="1 real workers take part"):
        simulate(campaign.slug, live_server)


def test_a_report_says_how_much_of_it_is_simulated(live_server: LiveServer, team: Team) -> None:
    campaign = live_campaign(team)
    simulate(campaign.slug, live_server)
    said = {warning["code"]: warning["message"] for warning in build_report(study_of(campaign), 0, 20)["warnings"]}
    counted = Judgment.objects.filter(place__isnull=False).count()
    assert said["simulated_workers"].startswith(f"{counted} of {counted} judgments come from simulated workers")
