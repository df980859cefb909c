import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.leaving import complete, withdraw
from judging.models import Judgment, Participation
from tests.judging.building import CODE, live_campaign, worker
from tests.judging.walking import page_of, press, text_of

State = Participation.State


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign, wanda: Participation) -> None:
    client.get(page_of(wanda))
    assert campaign.places.filter(state=Place.State.LEASED).count() == 1
    response = press(client, client.get(page_of(wanda, "worker_leave")))
    assert "You stopped taking part" in text_of(response) and CODE not in text_of(response)
    assert not campaign.places.exclude(state=Place.State.OPEN).exists()
    wanda.refresh_from_db()
    assert wanda.state == State.RETURNED and wanda.finished_at


@pytest.mark.django_db
def test_looking_at_the_question_is_not_leaving(client: Client, wanda: Participation) -> None:
    assert "Stop taking part?" in text_of(client.get(page_of(wanda, "worker_leave")))
    wanda.refresh_from_db()
    assert wanda.state == State.PRACTISED


@pytest.mark.django_db
def test_answers_given_before_leaving_stay_and_others_are_asked_again(
    client: Client, campaign: Campaign, wanda: Participation
) -> None:
    press(client, client.get(page_of(wanda)), answer="positive")
    filled = campaign.places.get(state=Place.State.FILLED)
    withdraw(wanda)
    place = Judgment.objects.get().place
    assert place == filled and (place.state, place.number) == (Place.State.VOID, None)
    again = campaign.places.get(stimulus=filled.stimulus, number=filled.number)
    assert (again.state, again.rank, again.list) == (Place.State.OPEN, filled.rank, filled.list)


@pytest.mark.django_db
def test_where_unfinished_work_counts_it_goes_on_counting(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, unfinished_count=True))
    press(client, client.get(page_of(wanda)), answer="positive")
    withdraw(wanda)
    place = Judgment.objects.get().place
    assert place and place.state == Place.State.FILLED and Participation.objects.get().counted == 1


@pytest.mark.django_db
def test_who_has_left_sends_no_more_answers(client: Client, wanda: Participation) -> None:
    item = client.get(page_of(wanda))
    withdraw(wanda)
    assert "You stopped taking part" in text_of(press(client, item, answer="positive"))
    assert not Judgment.objects.exists()


@pytest.mark.django_db
def test_who_has_left_may_come_back_to_where_they_stood(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign, started_at="2026-01-01T00:00Z")
    press(client, client.get(page_of(wanda)), answer="positive")
    withdraw(wanda)
    assert "2 of 40" in text_of(press(client, client.get(page_of(wanda)), choice="agree"))


@pytest.mark.django_db
def test_leaving_twice_is_leaving_once(wanda: Participation) -> None:
    withdraw(wanda)
    first = Participation.objects.get().finished_at
    withdraw(wanda)
    assert Participation.objects.get().finished_at == first


@pytest.mark.django_db
def test_the_completed_cannot_leave(client: Client, wanda: Participation) -> None:
    complete(wanda)
    assert CODE in text_of(client.post(page_of(wanda, "worker_leave"), follow=True))
    assert Participation.objects.get().state == State.COMPLETED


@pytest.mark.django_db
def test_the_code_is_still_there_after_the_campaign_has_closed(client: Client, wanda: Participation) -> None:
    complete(wanda)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    assert CODE in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
@pytest.mark.parametrize("state", [State.ARRIVED, State.CONSENTED, State.DECLINED, State.RETURNED])
def test_only_somebody_who_was_judging_completes(campaign: Campaign, state: str) -> None:
    participation = worker(campaign, state=state)
    complete(participation)
    assert participation.state == state


@pytest.mark.django_db
def test_finishing_is_refused_while_there_is_something_to_do(client: Client, wanda: Participation) -> None:
    press(client, client.get(page_of(wanda)), answer="positive")
    response = client.post(page_of(wanda, "worker_finish"), follow=True)
    assert "2 of 40" in text_of(response) and CODE not in text_of(response)


@pytest.mark.django_db
def test_who_waits_for_the_last_places_may_finish_with_what_is_done(client: Client, team: Team) -> None:
    campaign = live_campaign(team, texts=2, methods=("a",), ks=(1,), judgments=1)
    wanda = worker(campaign)
    item = client.get(page_of(wanda))
    assign_next(worker(campaign, "bert"))
    waiting = press(client, item, answer="positive")
    assert "Others have the last texts in hand" in text_of(waiting) and CODE not in text_of(waiting)
    assert CODE in text_of(press(client, waiting))


@pytest.mark.django_db
def test_who_comes_too_late_gets_neither_work_nor_code(client: Client, campaign: Campaign) -> None:
    campaign.places.update(state=Place.State.FILLED)
    wanda = worker(campaign)
    page = text_of(client.get(page_of(wanda)))
    assert "All texts are done" in page and CODE not in page
    assert CODE not in text_of(client.post(page_of(wanda, "worker_finish"), follow=True))


@pytest.mark.django_db
def test_who_has_done_all_there_is_completes_below_the_quota(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, texts=1))
    assert CODE in text_of(press(client, client.get(page_of(wanda)), answer="positive"))


@pytest.mark.django_db
def test_without_code_and_way_back_thanks_are_enough(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, completion_code="", exit_redirect="", exit_message="See <b>you</b>."))
    complete(wanda)
    page = text_of(client.get(page_of(wanda)))
    assert "Thank you, you are done" in page and "completion code" not in page
    assert "See &lt;b&gt;you&lt;/b&gt;." in page


@pytest.mark.django_db
def test_an_exit_that_is_no_web_address_is_no_link(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, exit_redirect="javascript:alert(1)"))
    complete(wanda)
    assert "javascript" not in text_of(client.get(page_of(wanda)))
