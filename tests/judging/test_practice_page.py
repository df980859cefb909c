import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign
from judging.models import Assignment, Judgment, Participation
from tests.judging.building import live_campaign
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State


def instructions(client: Client, campaign: Campaign) -> object:
    return press(client, arrive(client, campaign), choice="agree")


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign) -> None:
    response = press(client, instructions(client, campaign))
    assert "Practice 1 of 2" in text_of(response)
    response = press(client, response, answer="negative")
    assert "That is right" in text_of(response)
    response = press(client, response)
    assert "Practice 2 of 2" in text_of(response)
    response = press(client, response, answer="negative")
    assert "Not this time" in text_of(response) and "From now on your answers count" in text_of(response)
    response = press(client, response)
    assert "1 of 6" in text_of(response)
    participation = Participation.objects.get()
    assert participation.state == State.PRACTISED and participation.started_at


@pytest.mark.django_db
def test_practice_answers_are_no_judgments(client: Client, campaign: Campaign) -> None:
    press(client, press(client, instructions(client, campaign)), answer="positive")
    assert not Judgment.objects.exists() and not Assignment.objects.exists()


@pytest.mark.django_db
def test_without_an_answer_it_asks_again_beside_the_answers(client: Client, campaign: Campaign) -> None:
    response = press(client, press(client, instructions(client, campaign)))
    assert response.status_code == 422
    assert "Choose an answer first." in text_of(response) and "Practice 1 of 2" in text_of(response)


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["", "-1", "x", "1001"])
def test_a_step_that_is_none_leads_back(client: Client, campaign: Campaign, step: str) -> None:
    instructions(client, campaign)
    address = page_of(Participation.objects.get(), "worker_practice")
    assert client.post(address, {"step": step}).status_code == 302
    assert Participation.objects.get().state == State.CONSENTED


@pytest.mark.django_db
def test_after_a_reload_practice_can_be_done_again(client: Client, campaign: Campaign) -> None:
    press(client, press(client, instructions(client, campaign)), answer="positive")
    response = client.get(page_of(Participation.objects.get()))
    assert "Start the practice" in text_of(response)
    assert "Practice 1 of 2" in text_of(press(client, response))


@pytest.mark.django_db
def test_before_consent_there_is_no_practice(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign)
    response = client.post(page_of(Participation.objects.get(), "worker_practice"), {"step": "5"}, follow=True)
    assert "Welcome" in text_of(response)
    assert Participation.objects.get().state == State.ARRIVED


@pytest.mark.django_db
def test_a_campaign_without_practice_texts_starts_at_once(client: Client, team: Team) -> None:
    response = instructions(client, live_campaign(team, practice=0))
    assert "practice" not in text_of(response).replace("/practice/", "")
    assert "1 of 6" in text_of(press(client, response))


@pytest.mark.django_db
def test_nobody_starts_while_it_is_paused(client: Client, campaign: Campaign) -> None:
    response = instructions(client, campaign)
    Campaign.objects.update(state=Campaign.State.PAUSED)
    assert "This study is paused" in text_of(press(client, response))


@pytest.mark.django_db
def test_a_rating_has_practice_too(client: Client, team: Team) -> None:
    response = press(client, instructions(client, live_campaign(team, protocol="rating")))
    assert "no right or wrong here" in text_of(press(client, response, answer="4"))


def practised(client: Client, page: object, *answers: str) -> object:
    for answer in answers:
        page = press(client, press(client, page, answer=answer))
    return page


@pytest.mark.django_db
def test_who_passes_the_mark_starts(client: Client, team: Team) -> None:
    page = press(client, instructions(client, live_campaign(team, practice_needed=2)))
    assert "1 of 6" in text_of(practised(client, page, "negative", "positive"))
    assert Participation.objects.get().screening == {"practice": [[True, True]]}


@pytest.mark.django_db
def test_who_is_below_the_mark_has_one_more_try(client: Client, team: Team) -> None:
    page = press(client, instructions(client, live_campaign(team, practice_needed=2)))
    page = practised(client, page, "negative", "negative")
    assert "You have one more try" in text_of(page) and "How it works" in text_of(page)
    page = practised(client, press(client, page), "negative", "positive")
    assert "1 of 6" in text_of(page)
    assert Participation.objects.get().screening == {"practice": [[True, False], [True, True]]}


@pytest.mark.django_db
def test_who_is_below_the_mark_twice_is_screened_out(client: Client, team: Team) -> None:
    page = press(client, instructions(client, live_campaign(team, practice_needed=1)))
    page = practised(client, page, "positive", "negative")
    page = practised(client, press(client, page), "positive", "negative")
    assert "This study is not for you" in text_of(page)
    wanda = Participation.objects.get()
    assert wanda.state == State.SCREENED_OUT and wanda.screening["failed"] == "practice"


@pytest.mark.django_db
def test_after_the_feedback_the_first_answer_stands(client: Client, team: Team) -> None:
    page = press(client, instructions(client, live_campaign(team, practice_needed=2)))
    press(client, page, answer="positive")
    press(client, page, answer="negative")
    assert Participation.objects.get().screening == {"practice": [[False]]}


@pytest.mark.django_db
def test_practice_with_a_mark_cannot_be_left_out(client: Client, team: Team) -> None:
    instructions(client, live_campaign(team, practice_needed=1))
    wanda = Participation.objects.get()
    client.post(page_of(wanda, "worker_practice"), {"step": "9"})
    wanda.refresh_from_db()
    assert wanda.state == State.CONSENTED


@pytest.mark.django_db
def test_opinions_are_not_held_to_a_mark(client: Client, team: Team) -> None:
    page = press(client, instructions(client, live_campaign(team, protocol="rating", practice_needed=2)))
    assert "1 of 6" in text_of(practised(client, page, "1", "2"))
