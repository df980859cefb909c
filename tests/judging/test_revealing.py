"""Words uncovered one by one, without JavaScript: what the server counts, and what the page never holds."""

import re

import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign
from judging.models import Assignment, Judgment
from tests.judging.building import live_campaign, worker
from tests.judging.walking import arrive, page_of, press, text_of

pytestmark = pytest.mark.django_db
SHOWN = re.compile(r'<span class="shown">')


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(team, protocol="reveal", methods=("gradient",))


def shown(response: object) -> int:
    return len(SHOWN.findall(text_of(response)))


def test_it_works(client: Client, campaign: Campaign) -> None:
    response = client.get(page_of(worker(campaign)))
    assert shown(response) == 1
    for count in (2, 3):
        response = press(client, response, more="1")
        assert shown(response) == count
    press(client, response, answer="positive")
    judgment = Judgment.objects.get()
    assert judgment.answer == {"answer": "positive", "step": 2}
    assert judgment.presentation == {"choices": ["negative", "positive"]}


def test_a_reload_keeps_what_was_uncovered(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign)
    press(client, client.get(page_of(wanda)), more="1")
    assert shown(client.get(page_of(wanda))) == 2


def test_a_step_sent_twice_is_one_step(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign)
    first = client.get(page_of(wanda))
    press(client, first, more="1")
    assert shown(press(client, first, more="1")) == 2
    assert Assignment.objects.get().step == 1


def test_the_browser_cannot_tell_how_much_was_seen(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign)
    response = press(client, client.get(page_of(wanda)), more="1")
    press(client, response, answer="positive", step="0")
    assert Judgment.objects.get().answer["step"] == 1


def test_there_is_nothing_beyond_the_last_word(client: Client, campaign: Campaign) -> None:
    response = client.get(page_of(worker(campaign)))
    for _ in range(15):
        response = press(client, response, more="1")
    assert 'name="more"' not in text_of(response) and "There are no more." in text_of(response)
    steps = Assignment.objects.get().step
    press(client, response, more="1")
    assert Assignment.objects.get().step == steps == shown(response) - 1


def test_practice_uncovers_words_too(client: Client, campaign: Campaign) -> None:
    response = press(client, press(client, arrive(client, campaign), choice="agree"))
    assert "Practice 1 of 2" in text_of(response) and shown(response) == 1
    response = press(client, press(client, response, more="1"), more="1")
    assert "Practice 1 of 2" in text_of(response) and shown(response) == 3
    response = press(client, response, answer="negative")
    assert "You had seen 3 words." in text_of(response) and shown(response) == 3
    assert "Practice 2 of 2" in text_of(press(client, response))


def test_a_practice_form_without_an_answer_keeps_what_was_uncovered(client: Client, campaign: Campaign) -> None:
    response = press(client, press(client, arrive(client, campaign), choice="agree"))
    response = press(client, press(client, response, more="1"))
    assert response.status_code == 422 and shown(response) == 2
