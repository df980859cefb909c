import pytest
from django.test import Client

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from campaigns.models import Campaign, Place
from judging.checking import record_check
from judging.erasing import erase
from judging.models import Assignment, CheckAnswer, Judgment, Participation
from tests.judging.building import CODE, live_campaign, worker
from tests.judging.walking import page_of, press, text_of

State = Participation.State


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(
        team, texts=3, checks=read_tests("Choose b.\n- a\n+ b"), survey=read_questions("Well?\n- Yes\n- No")
    )


def judged(client: Client, campaign: Campaign) -> Participation:
    wanda = worker(campaign, parameters={"SESSION_ID": "s1"}, answers={"before": [1]}, quota=3)
    record_check(wanda, 0, 1, 900)
    page = client.get(page_of(wanda))
    for _ in range(2):
        page = press(client, page, answer="positive")
    return wanda


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign) -> None:
    wanda = judged(client, campaign)
    places = campaign.places.count()
    page = press(client, client.get(page_of(wanda, "worker_leave")), choice="erase")
    assert "Your answers are deleted" in text_of(page) and "I changed my mind" not in text_of(page)
    wanda.refresh_from_db()
    assert wanda.erased_at and wanda.state == State.RETURNED
    assert (wanda.parameters, wanda.answers, wanda.named, wanda.counted) == ({}, {}, False, 0)
    assert wanda.worker_hash != "wanda" and len(wanda.worker_hash) == 64
    assert wanda.screening == {"erased": {"judgments": 2, "checks": 1, "from": "practised"}}
    assert not (Judgment.objects.exists() or Assignment.objects.exists() or CheckAnswer.objects.exists())
    assert campaign.places.filter(state=Place.State.OPEN).count() == campaign.places.count() == places


@pytest.mark.django_db
def test_erasing_twice_changes_nothing(client: Client, campaign: Campaign) -> None:
    wanda = judged(client, campaign)
    erase(wanda)
    counts, erased_at = wanda.screening, wanda.erased_at
    erase(wanda)
    assert (wanda.screening, wanda.erased_at) == (counts, erased_at)


@pytest.mark.django_db
def test_who_has_completed_can_take_the_answers_back_and_keeps_the_code(client: Client, campaign: Campaign) -> None:
    wanda = judged(client, campaign)
    press(client, press(client, client.get(page_of(wanda)), answer="positive"), q0="0")
    page = client.get(page_of(wanda))
    assert CODE in text_of(page) and "Take your answers back" in text_of(page)
    page = press(client, client.get(page_of(wanda, "worker_leave")), choice="erase")
    assert "Your answers are deleted" in text_of(page) and CODE in text_of(page)
    assert not Judgment.objects.exists()


@pytest.mark.django_db
def test_who_has_completed_cannot_return_by_the_same_page(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign, state=State.COMPLETED)
    client.post(page_of(wanda, "worker_leave"))
    wanda.refresh_from_db()
    assert wanda.state == State.COMPLETED and not wanda.erased_at


@pytest.mark.django_db
def test_who_has_erased_does_not_come_back_by_the_old_page(client: Client, campaign: Campaign) -> None:
    wanda = judged(client, campaign)
    erase(wanda)
    client.post(page_of(wanda, "worker_consent"), {"choice": "agree"})
    wanda.refresh_from_db()
    assert wanda.state == State.RETURNED


@pytest.mark.django_db
def test_a_closed_campaign_erases_too(client: Client, campaign: Campaign) -> None:
    wanda = judged(client, campaign)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    page = press(client, client.get(page_of(wanda, "worker_leave")), choice="erase")
    assert "Your answers are deleted" in text_of(page) and not Judgment.objects.exists()


@pytest.mark.django_db
def test_others_keep_their_answers(client: Client, campaign: Campaign) -> None:
    bert = worker(campaign, "bert")
    press(client, client.get(page_of(bert)), answer="positive")
    erase(judged(client, campaign))
    assert Judgment.objects.get().assignment.participation == bert
