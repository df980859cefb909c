from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.models import Assignment, Judgment, Participation
from tests.judging.building import CODE, LABELS, live_campaign, worker
from tests.judging.walking import page_of, press, text_of, to_first_item


def see(client: Client, participation: Participation) -> Any:
    return client.get(page_of(participation))


@pytest.mark.django_db
def test_it_works(client: Client, wanda: Participation) -> None:
    response = press(client, see(client, wanda), answer="positive")
    assert response.status_code == 200 and not response.redirect_chain
    assert "2 of 40" in text_of(response)
    assert Judgment.objects.get().answer == {"answer": "positive"}


@pytest.mark.django_db
def test_a_whole_visit_from_link_to_code(client: Client, campaign: Campaign) -> None:
    response = to_first_item(client, campaign, PROLIFIC_PID="wanda")
    for number in range(6):
        assert f"{number + 1} of 6" in text_of(response)
        assert CODE not in text_of(response)
        response = press(client, response, answer="negative")
    assert CODE in text_of(response)
    assert "https://panel.example/done?cc=C0DE77" in text_of(response)
    participation = Participation.objects.get()
    assert participation.state == Participation.State.COMPLETED and participation.finished_at
    assert Judgment.objects.count() == 6


@pytest.mark.django_db
def test_without_an_answer_it_asks_again_and_saves_nothing(client: Client, wanda: Participation) -> None:
    response = press(client, see(client, wanda))
    assert response.status_code == 422
    assert "Choose an answer first." in text_of(response) and "1 of 40" in text_of(response)
    assert not Judgment.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("answer", ["neutral", "POSITIVE", "\0"])
def test_an_answer_that_was_not_offered_is_refused(client: Client, wanda: Participation, answer: str) -> None:
    assert press(client, see(client, wanda), answer=answer).status_code == 422


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["", "x", "0", "-1", "999999", str(2**63), "9" * 400])
def test_an_assignment_that_is_not_the_workers_changes_nothing(
    client: Client, wanda: Participation, number: str
) -> None:
    response = client.post(page_of(wanda), {"assignment": number, "answer": "positive"})
    assert response.status_code == 200 and "1 of 40" in text_of(response)
    assert not Judgment.objects.exists()


@pytest.mark.django_db
def test_nobody_answers_for_another(client: Client, campaign: Campaign, wanda: Participation) -> None:
    see(client, wanda)
    bert = worker(campaign, "bert")
    client.post(page_of(bert), {"assignment": Assignment.objects.get().pk, "answer": "positive"})
    assert not Judgment.objects.exists()


@pytest.mark.django_db
def test_it_takes_no_put(client: Client, wanda: Participation) -> None:
    assert client.put(page_of(wanda)).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["1", "1.forged", "x"])
def test_a_forged_token_reaches_nothing(client: Client, wanda: Participation, token: str) -> None:
    response = client.get(f"/w/films/{token}/")
    assert response.status_code == 404 and "This link does not work" in text_of(response)


@pytest.mark.django_db
def test_a_token_works_in_its_own_campaign_only(client: Client, team: Team, wanda: Participation) -> None:
    live_campaign(team, slug="other")
    assert client.get(page_of(wanda).replace("films", "other")).status_code == 404


@pytest.mark.django_db
def test_a_forms_address_opened_alone_leads_back(client: Client, wanda: Participation) -> None:
    for name in ("worker_consent", "worker_practice", "worker_finish"):
        assert client.get(page_of(wanda, name))["Location"] == page_of(wanda)


@pytest.mark.django_db
def test_the_quota_is_the_limit(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign, quota=1)
    assert CODE in text_of(press(client, see(client, wanda), answer="positive"))
    assert "1 of 1" not in text_of(see(client, wanda))


@pytest.mark.django_db
def test_a_replayed_form_saves_nothing_twice_and_says_so(client: Client, wanda: Participation) -> None:
    first = see(client, wanda)
    press(client, first, answer="positive")
    response = press(client, first, answer="negative")
    assert "saved before" in text_of(response) and "2 of 40" in text_of(response)
    assert Judgment.objects.get().answer == {"answer": "positive"}


@pytest.mark.django_db
def test_a_reload_shows_the_same_item(client: Client, wanda: Participation) -> None:
    assert text_of(see(client, wanda)) == text_of(see(client, wanda))


@pytest.mark.django_db
def test_a_late_answer_is_told_to_be_late(client: Client, wanda: Participation) -> None:
    first = see(client, wanda)
    past = timezone.now() - timedelta(minutes=1)
    Assignment.objects.update(deadline=past)
    Place.objects.filter(state=Place.State.LEASED).update(leased_until=past)
    assert "longer than the time for one text" in text_of(press(client, first, answer="positive"))
    assert Judgment.objects.get().late


@pytest.mark.django_db
def test_a_pause_loses_nothing(client: Client, wanda: Participation) -> None:
    first = see(client, wanda)
    Campaign.objects.update(state=Campaign.State.PAUSED)
    response = press(client, first, answer="positive")
    assert "This study is paused" in text_of(response) and Judgment.objects.count() == 1
    Campaign.objects.update(state=Campaign.State.LIVE)
    assert "2 of 40" in text_of(see(client, wanda))


@pytest.mark.django_db
def test_an_answer_after_the_close_is_kept_and_does_not_count(client: Client, wanda: Participation) -> None:
    item = see(client, wanda)
    Campaign.objects.filter(pk=wanda.campaign_id).update(state=Campaign.State.CLOSED)
    response = press(client, item, answer="positive")
    assert "This study is closed" in text_of(response) and "does not count" in text_of(response)
    judgment = Judgment.objects.get()
    assert judgment.late and judgment.place is None
    assert not Place.objects.filter(state=Place.State.FILLED).exists()


@pytest.mark.django_db
def test_what_was_on_screen_is_kept(client: Client, wanda: Participation) -> None:
    sent = {"response_ms": "1234.6", "width": "360", "height": "740", "ratio": "2.5", "scheme": "dark"}
    press(client, see(client, wanda), answer="positive", **sent)
    judgment = Judgment.objects.get()
    assert judgment.response_ms == 1235
    assert judgment.shown == {"width": 360.0, "height": 740.0, "ratio": 2.5, "scheme": "dark"}


@pytest.mark.django_db
def test_odd_circumstances_do_not_cost_the_answer(client: Client, wanda: Participation) -> None:
    sent = {"response_ms": "nan", "width": "-1", "height": "1e99", "ratio": "x", "scheme": "<b>"}
    press(client, see(client, wanda), answer="positive", **sent)
    judgment = Judgment.objects.get()
    assert judgment.response_ms is None and judgment.shown == {}


@pytest.mark.django_db
@pytest.mark.parametrize("protocol", ["topk_guess", "rating"])
def test_the_page_tells_neither_truth_nor_method_nor_k_nor_code(client: Client, team: Team, protocol: str) -> None:
    campaign = live_campaign(team, methods=("integrated_gradients",), ks=(3,), protocol=protocol)
    wanda = worker(campaign)
    page = text_of(see(client, wanda)).replace(page_of(wanda), "HERE").replace('method="post"', "").lower()
    for secret in ("integrated", "gradient", "method", "expected", "gold", CODE.lower(), "k=", '"k"', "wanda"):
        assert secret not in page


@pytest.mark.django_db
def test_pages_of_texts_with_different_truths_differ_in_nothing_but_what_is_shown(
    client: Client, campaign: Campaign
) -> None:
    """Put in place what is shown, and number and token: the rest is the same for every label, method and k."""
    rests = set()
    for number in range(8):
        participation = worker(campaign, f"worker {number}")
        page = text_of(see(client, participation)).replace(page_of(participation), "HERE")
        page = page.replace(f'value="{Assignment.objects.get(participation=participation).pk}"', "NUMBER")
        start, end = page.index('<p class="text-body'), page.index("</p>")
        rests.add(page[:start] + page[end:])
    assert len(rests) == 1


@pytest.mark.django_db
def test_both_labels_are_offered_in_the_same_order_on_every_page(client: Client, campaign: Campaign) -> None:
    for number in range(4):
        page = text_of(see(client, worker(campaign, f"worker {number}")))
        places = [page.index(f'value="{label}"') for label in LABELS]
        assert places == sorted(places)


@pytest.mark.django_db
def test_pages_are_not_kept_by_caches(client: Client, wanda: Participation) -> None:
    assert "no-store" in see(client, wanda)["Cache-Control"]


@pytest.mark.django_db
def test_nothing_in_the_page_needs_inline_script_or_style(client: Client, wanda: Participation) -> None:
    page = text_of(see(client, wanda))
    assert "style=" not in page and "<script>" not in page and "onclick" not in page


@pytest.mark.django_db
def test_a_judgment_takes_a_constant_number_of_queries(client: Client, wanda: Participation) -> None:
    response = see(client, wanda)
    counts = []
    for _ in range(4):
        with CaptureQueriesContext(connection) as queries:
            response = press(client, response, answer="positive")
        counts.append(len(queries))
        assert not [query for query in queries.captured_queries if "session" in query["sql"] or "user" in query["sql"]]
    assert set(counts) == {counts[0]} and counts[0] <= 14
