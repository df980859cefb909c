import pytest
from django.test import Client

from campaigns.models import Campaign
from judging.models import Participation
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State


def state_now() -> str:
    return Participation.objects.get().state


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign) -> None:
    response = press(client, arrive(client, campaign), choice="agree")
    assert "How it works" in text_of(response)
    participation = Participation.objects.get()
    assert participation.state == State.CONSENTED and participation.consented_at


@pytest.mark.django_db
def test_it_says_how_much_there_is_to_do(client: Client, campaign: Campaign) -> None:
    page = text_of(arrive(client, campaign))
    assert "Read 6 short texts" in page and "About 4 minutes" in page and "lab@example.org" in page


@pytest.mark.django_db
def test_declining_is_respected(client: Client, campaign: Campaign) -> None:
    response = press(client, arrive(client, campaign), choice="decline")
    assert "You chose not to take part" in text_of(response)
    assert state_now() == State.DECLINED


@pytest.mark.django_db
def test_an_answer_that_is_neither_is_no_consent(client: Client, campaign: Campaign) -> None:
    press(client, arrive(client, campaign), choice="maybe")
    assert state_now() == State.DECLINED


@pytest.mark.django_db
def test_who_declined_may_think_again(client: Client, campaign: Campaign) -> None:
    response = press(client, arrive(client, campaign), choice="decline")
    press(client, response, choice="agree")
    assert state_now() == State.CONSENTED


@pytest.mark.django_db
def test_opened_alone_it_leads_back(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign)
    participation = Participation.objects.get()
    response = client.get(page_of(participation, "worker_consent"))
    assert response.status_code == 302 and response["Location"] == page_of(participation)
    assert state_now() == State.ARRIVED


@pytest.mark.django_db
def test_a_late_decline_undoes_nothing(client: Client, campaign: Campaign) -> None:
    first = arrive(client, campaign)
    press(client, first, choice="agree")
    press(client, first, choice="decline")
    assert state_now() == State.CONSENTED


@pytest.mark.django_db
def test_a_forged_token_reaches_nothing(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign)
    response = client.post(f"/w/films/{Participation.objects.get().pk}.forged/consent/", {"choice": "agree"})
    assert response.status_code == 404 and "This link does not work" in text_of(response)
    assert state_now() == State.ARRIVED
