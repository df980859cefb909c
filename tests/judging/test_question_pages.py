from typing import Any

import pytest
from django.test import Client

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from campaigns.models import Campaign
from judging.models import Participation
from tests.judging.building import CODE, live_campaign, worker
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State
DEMOGRAPHICS = read_questions(
    "How old are you? [number]\nWhere do you live? [text, optional]\nDo you read?\n- Yes\n- No"
)
TESTS = read_tests("What do you guess?\n- The author\n+ The label\n\nMay you stop?\n+ Yes\n- No")
SURVEY = read_questions("How was it?\n- Good\n- Bad")


def asked(team: Team, **fields: Any) -> Campaign:
    return live_campaign(team, **fields)


def agreed(client: Client, campaign: Campaign) -> object:
    return press(client, arrive(client, campaign), choice="agree")


@pytest.mark.django_db
def test_it_works(client: Client, team: Team) -> None:
    page = agreed(client, asked(team, demographics=DEMOGRAPHICS))
    assert "A few questions about you" in text_of(page) and "Prefer not to say" in text_of(page)
    page = press(client, page, q0="41", q1="", q2="1")
    assert "How it works" in text_of(page)
    assert Participation.objects.get().answers == {"before": [41.0, "", 1]}


@pytest.mark.django_db
def test_who_prefers_not_to_say_goes_on(client: Client, team: Team) -> None:
    page = press(client, agreed(client, asked(team, demographics=DEMOGRAPHICS)), d0="on", d1="on", q2="declined")
    assert "How it works" in text_of(page)
    assert Participation.objects.get().answers == {"before": [None, None, None]}


@pytest.mark.django_db
def test_a_question_left_out_is_asked_again_and_the_rest_stays(client: Client, team: Team) -> None:
    page = press(client, agreed(client, asked(team, demographics=DEMOGRAPHICS)), q1="<Ulm>", q2="0")
    assert page.status_code == 422
    assert text_of(page).count("Please answer this question.") == 1
    assert "&lt;Ulm&gt;" in text_of(page) and Participation.objects.get().answers == {}


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["old", "1e400", "nan"])
def test_a_number_that_is_none_is_asked_again(client: Client, team: Team, number: str) -> None:
    page = press(client, agreed(client, asked(team, demographics=DEMOGRAPHICS)), q0=number, q2="0")
    assert page.status_code == 422 and Participation.objects.get().answers == {}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["before", "comprehension", "after", "check", "warning", "debrief"])
def test_an_address_opened_alone_leads_back(client: Client, team: Team, name: str) -> None:
    wanda = worker(asked(team, demographics=DEMOGRAPHICS))
    assert client.get(page_of(wanda, f"worker_{name}")).status_code == 302
    assert client.put(page_of(wanda, f"worker_{name}")).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["before", "comprehension", "after", "check", "debrief"])
def test_what_is_not_asked_now_changes_nothing(client: Client, team: Team, name: str) -> None:
    wanda = worker(asked(team, survey=SURVEY), state=State.ARRIVED)
    response = client.post(page_of(wanda, f"worker_{name}"), {"q0": "0", "check_number": "0", "answer": "0"})
    assert response.status_code == 302
    wanda.refresh_from_db()
    assert (wanda.state, wanda.answers, wanda.screening) == (State.ARRIVED, {}, {})


@pytest.mark.django_db
def test_a_wrong_pass_is_told_plainly(client: Client, team: Team) -> None:
    campaign = asked(team)
    assert client.post(f"/w/{campaign.slug}/nonsense/before/").status_code == 404


@pytest.mark.django_db
def test_a_second_tab_does_not_change_the_answers(client: Client, team: Team) -> None:
    page = agreed(client, asked(team, demographics=SURVEY))
    press(client, page, q0="0")
    press(client, page, q0="1")
    assert Participation.objects.get().answers == {"before": [0]}


def at_the_questions(client: Client, campaign: Campaign) -> object:
    return press(client, agreed(client, campaign))


@pytest.mark.django_db
def test_who_understands_practises(client: Client, team: Team) -> None:
    page = at_the_questions(client, asked(team, comprehension=TESTS))
    assert "Is it clear?" in text_of(page) and "Prefer not to say" not in text_of(page)
    page = press(client, page, q0="1", q1="0")
    assert "Practice 1 of 2" in text_of(page)
    assert Participation.objects.get().screening == {"comprehension": {"tries": [[1, 0]], "passed": True}}


@pytest.mark.django_db
def test_who_is_mistaken_once_may_try_again(client: Client, team: Team) -> None:
    page = press(client, at_the_questions(client, asked(team, comprehension=TESTS)), q0="1", q1="1")
    assert "You have one more try" in text_of(page) and "Read the words." in text_of(page)
    assert "Practice 1 of 2" in text_of(press(client, page, q0="1", q1="0"))


@pytest.mark.django_db
def test_who_is_mistaken_twice_is_screened_out_with_a_code_of_its_own(client: Client, team: Team) -> None:
    exits = {"screened_out": {"code": "SCREEN77", "redirect": "", "message": ""}}
    page = at_the_questions(client, asked(team, comprehension=TESTS, exits=exits))
    page = press(client, press(client, page, q0="0", q1="0"), q0="0", q1="0")
    assert "This study is not for you" in text_of(page)
    assert "SCREEN77" in text_of(page) and CODE not in text_of(page)
    wanda = Participation.objects.get()
    assert wanda.state == State.SCREENED_OUT and wanda.screening["failed"] == "comprehension"
    assert "This study is not for you" in text_of(
        client.post(page_of(wanda, "worker_practice"), {"step": 0}, follow=True)
    )


@pytest.mark.django_db
def test_an_incomplete_test_is_no_try(client: Client, team: Team) -> None:
    page = press(client, at_the_questions(client, asked(team, comprehension=TESTS)), q0="1")
    assert page.status_code == 422 and Participation.objects.get().screening == {}


@pytest.mark.django_db
def test_practice_is_no_way_around_the_questions(client: Client, team: Team) -> None:
    agreed(client, asked(team, comprehension=TESTS, demographics=SURVEY))
    wanda = Participation.objects.get()
    page = client.post(page_of(wanda, "worker_practice"), {"step": "9"}, follow=True)
    assert "A few questions about you" in text_of(page)
    press(client, page, q0="0")
    page = client.post(page_of(wanda, "worker_practice"), {"step": "9"}, follow=True)
    assert "Is it clear?" in text_of(page)


@pytest.mark.django_db
def test_the_survey_comes_after_the_last_item_and_before_the_code(client: Client, team: Team) -> None:
    wanda = worker(asked(team, texts=1, survey=SURVEY))
    page = press(client, client.get(page_of(wanda)), answer="positive")
    assert "The last questions" in text_of(page) and CODE not in text_of(page)
    assert press(client, page).status_code == 422
    assert CODE in text_of(press(client, page, q0="1"))
    wanda.refresh_from_db()
    assert wanda.answers == {"after": [1]} and wanda.state == State.COMPLETED


@pytest.mark.django_db
def test_no_survey_before_the_items(client: Client, team: Team) -> None:
    wanda = worker(asked(team, survey=SURVEY))
    page = client.post(page_of(wanda, "worker_after"), {"q0": "1"}, follow=True)
    assert "1 of 40" in text_of(page)
    wanda.refresh_from_db()
    assert wanda.answers == {}


@pytest.mark.django_db
def test_the_debrief_is_read_before_the_code(client: Client, team: Team) -> None:
    wanda = worker(asked(team, texts=1, debrief="We compared <i>methods</i>."))
    page = press(client, client.get(page_of(wanda)), answer="positive")
    assert "&lt;i&gt;methods" in text_of(page) and CODE not in text_of(page)
    wanda.refresh_from_db()
    assert wanda.state == State.COMPLETED
    assert CODE in text_of(press(client, page)) and CODE in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_a_content_warning_stands_before_the_consent(client: Client, team: Team) -> None:
    page = text_of(arrive(client, asked(team, content_warning="Some texts are hateful.")))
    assert page.index("Some texts are hateful.") < page.index("We keep your answers.")


@pytest.mark.django_db
def test_the_wording_agreed_to_is_recorded(client: Client, team: Team) -> None:
    agreed(client, asked(team))
    first = Participation.objects.get().consent_version
    agreed(client, asked(team, slug="other", consent="We keep nothing."))
    second = Participation.objects.latest("pk").consent_version
    assert len(first) == len(second) == 12 and first != second
