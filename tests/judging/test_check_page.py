import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Team
from campaigns.asking import read_tests
from judging.checking import check_positions, record_check
from judging.models import CheckAnswer, Judgment, Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press, text_of

CHECKS = read_tests("To show that you are reading, choose “negative” here.\n- positive\n+ negative")


@pytest.fixture
def wanda(team: Team) -> Participation:
    return worker(live_campaign(team, texts=3, checks=CHECKS), quota=2)


def first_check(client: Client, wanda: Participation) -> object:
    return press(client, client.get(page_of(wanda)), answer="positive")


@pytest.mark.django_db
def test_it_works(client: Client, wanda: Participation) -> None:
    page = first_check(client, wanda)
    assert "To show that you are reading" in text_of(page) and "2 of 2" in text_of(page)
    page = press(client, page, answer="1", response_ms="1234.4")
    assert "2 of 2" in text_of(page) and "To show" not in text_of(page)
    answer = CheckAnswer.objects.get()
    assert (answer.check_number, answer.answer, answer.right, answer.response_ms) == (0, "negative", True, 1234)
    assert Judgment.objects.count() == 1


@pytest.mark.django_db
def test_a_wrong_answer_is_kept_and_the_work_goes_on(client: Client, wanda: Participation) -> None:
    page = press(client, first_check(client, wanda), answer="0")
    assert "2 of 2" in text_of(page)
    assert CheckAnswer.objects.get().right is False


@pytest.mark.django_db
@pytest.mark.parametrize("answer", [{}, {"answer": "7"}, {"answer": "x"}])
def test_without_an_answer_it_asks_again(client: Client, wanda: Participation, answer: dict[str, str]) -> None:
    page = press(client, first_check(client, wanda), **answer)
    assert page.status_code == 422 and "Choose an answer first." in text_of(page)
    assert not CheckAnswer.objects.exists()


@pytest.mark.django_db
def test_there_is_no_way_around_it(client: Client, wanda: Participation) -> None:
    first_check(client, wanda)
    assert "To show that you are reading" in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_the_next_item_cannot_be_answered_before_it(client: Client, wanda: Participation) -> None:
    first_check(client, wanda)
    guessed = {"assignment": str(wanda.assignments.latest("pk").pk), "answer": "positive"}
    page = client.post(page_of(wanda), guessed)
    assert "To show that you are reading" in text_of(page) and Judgment.objects.count() == 1
    press(client, page, answer="1")
    client.post(page_of(wanda), guessed)
    assert Judgment.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["9", "-1", "x", ""])
def test_a_check_that_is_none_leads_back(client: Client, wanda: Participation, number: str) -> None:
    assert client.post(page_of(wanda, "worker_check"), {"check_number": number, "answer": "0"}).status_code == 302
    assert not CheckAnswer.objects.exists()


@pytest.mark.django_db
def test_the_first_answer_stands(wanda: Participation) -> None:
    record_check(wanda, 0, 0, None)
    record_check(wanda, 0, 1, None)
    assert CheckAnswer.objects.get().right is False


@pytest.mark.django_db
def test_an_answer_is_never_changed(wanda: Participation) -> None:
    record_check(wanda, 0, 0, None)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        CheckAnswer.objects.update(right=True)


@given(st.integers(1, 10**6), st.integers(1, 200), st.integers(1, 5))
def test_checks_are_spread_over_the_items_and_never_first(participation: int, quota: int, checks: int) -> None:
    positions = check_positions(participation, quota, checks)
    assert positions == check_positions(participation, quota, checks) == sorted(positions)
    assert all(1 <= position <= max(1, quota - 1) for position in positions)
    assert quota < 2 * checks or len(set(positions)) == checks
