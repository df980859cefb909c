import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from judging.models import Participation
from judging.tokens import COOKIE
from tests.judging.walking import arrive, page_of, text_of


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign) -> None:
    response = arrive(client, campaign, PROLIFIC_PID="wanda", STUDY_ID="s")
    participation = Participation.objects.get()
    assert response.redirect_chain == [(page_of(participation), 302)]
    assert "We keep your answers." in text_of(response)
    assert "wanda" not in text_of(response)


@pytest.mark.django_db
def test_an_unknown_study_is_told_plainly(client: Client) -> None:
    response = client.get("/w/nowhere/")
    assert response.status_code == 404
    assert "There is no study at this address" in text_of(response)


@pytest.mark.django_db
def test_it_takes_no_post(client: Client, campaign: Campaign) -> None:
    assert client.post(reverse("worker_arrival", args=[campaign.slug])).status_code == 405


@pytest.mark.django_db
def test_a_link_checker_is_no_worker(client: Client, campaign: Campaign) -> None:
    assert client.head(reverse("worker_arrival", args=[campaign.slug])).status_code == 200
    assert not Participation.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("draft", "not open yet"),
        ("preparing", "not open yet"),
        ("ready", "not open yet"),
        ("paused", "This study is paused"),
        ("closed", "This study is closed"),
    ],
)
def test_a_study_that_is_not_live_says_so(client: Client, campaign: Campaign, state: str, said: str) -> None:
    Campaign.objects.update(state=state)
    assert said in text_of(arrive(client, campaign))
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_the_browser_is_remembered_out_of_scripts_reach(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign)
    cookie = client.cookies[COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == "/w/films/"
    arrive(client, campaign)
    assert Participation.objects.count() == 1


@pytest.mark.django_db
def test_no_session_is_made(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign)
    assert set(client.cookies) == {COOKIE}


@pytest.mark.django_db
def test_arrivals_odd_parameters_do_no_harm(client: Client, campaign: Campaign) -> None:
    response = client.get("/w/films/?PROLIFIC_PID=%00&a=%00%ff&" + "&".join(f"p{n}={n}" for n in range(99)))
    assert response.status_code == 302
