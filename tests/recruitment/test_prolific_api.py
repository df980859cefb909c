from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime

import pytest

from recruitment import OUTCOMES
from recruitment.prolific import draft
from recruitment.prolific_api import AnswerLost, Bonuses, NotFound, ProlificApi, ProlificError, Study
from tests.recruitment.prolific_server import TOKEN, PlayedProlific, play_prolific


@pytest.fixture
def prolific() -> Iterator[PlayedProlific]:
    with play_prolific() as played:
        played.add_study("s1")
        yield played


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def api(prolific: PlayedProlific, pauses: list[float]) -> ProlificApi:
    return ProlificApi(prolific.url, TOKEN, pauses.append)


def test_it_works(api: ProlificApi, pauses: list[float]) -> None:
    assert api.study("s1") == Study("s1", "ACTIVE", 10, 4)
    assert api.set_places("s1", 12).places == 12
    assert pauses == []


def test_all_pages_of_submissions_are_read_each_once(prolific: PlayedProlific, api: ProlificApi) -> None:
    for number in range(25):
        prolific.add_submission(f"sub{number}", f"pid{number}", "AWAITING REVIEW", entered_code="C0DE")
    prolific.add_submission("elsewhere", "pid", "ACTIVE", study="s2")
    prolific.largest_page = 10
    found = list(api.submissions("s1"))
    assert [one.id for one in found] == [f"sub{number}" for number in range(25)]
    assert found[3] == ("sub3", "pid3", "AWAITING REVIEW", "C0DE", False)


def test_a_study_without_submissions_has_none(api: ProlificApi) -> None:
    assert list(api.submissions("s1")) == []


def test_many_are_approved_in_parts_one_after_another(prolific: PlayedProlific, api: ProlificApi) -> None:
    names = [f"sub{number}" for number in range(1001)]
    for name in names:
        prolific.add_submission(name, name, "AWAITING REVIEW")
    api.approve(names)
    sent = [body["submission_ids"] for _, path, body in prolific.asked if path.endswith("/bulk-approve/")]
    assert [len(part) for part in sent] == [1000, 1] and sent[1] == ["sub1000"]
    assert {row["status"] for row in prolific.submissions.values()} == {"APPROVED"}


def test_somebody_is_asked_to_return_a_submission(prolific: PlayedProlific, api: ProlificApi) -> None:
    prolific.add_submission("sub1", "pid1", "AWAITING REVIEW")
    api.request_return("sub1", ["Did not finish."])
    assert prolific.asked[-1][2] == {"request_return_reasons": ["Did not finish."]}
    assert next(api.submissions("s1")).return_requested


def test_a_bonus_is_set_up_and_then_paid(prolific: PlayedProlific, api: ProlificApi) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    prolific.add_submission("sub2", "pid2", "APPROVED")
    made = api.set_up_bonuses("s1", {"sub1": Decimal("1.5"), "sub2": Decimal("0.25")})
    assert made == Bonuses("bonus1", 233) and prolific.paid == []
    assert prolific.bonuses["bonus1"] == {"study_id": "s1", "csv_bonuses": "sub1,1.50\nsub2,0.25"}
    api.pay_bonuses("bonus1")
    assert prolific.paid == ["bonus1"]


def test_a_study_is_drafted_with_a_code_for_each_outcome(prolific: PlayedProlific, api: ProlificApi) -> None:
    codes = {name: f"K{name}" for name in OUTCOMES}
    made = api.create_study(draft("Reading", "Read words.", "https://x.org/w/films/", codes, 20, 8, 200))
    assert made == Study("new", "UNPUBLISHED", 20, 0)
    sent = prolific.asked[-1][2]
    assert sent["external_study_url"].startswith("https://x.org/w/films/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID=")
    by_code = {row["code"]: row for row in sent["completion_codes"]}
    assert by_code["Kcompleted"]["code_type"] == "COMPLETED"
    assert by_code["Kcompleted"]["actions"] == [{"action": "MANUALLY_REVIEW"}]
    assert by_code["Kdeclined"]["code_type"] == "NO_CONSENT"
    assert by_code["Kdeclined"]["actions"][0]["action"] == "REQUEST_RETURN"
    assert sent["reward"] == 200 and sent["prolific_id_option"] == "url_parameters"


def test_it_waits_as_long_as_it_is_asked_to(prolific: PlayedProlific, api: ProlificApi, pauses: list[float]) -> None:
    prolific.fail(429, Retry_After="3")
    assert api.study("s1").places == 10
    assert pauses == [3.0]


def test_it_waits_until_the_date_it_is_told(prolific: PlayedProlific, api: ProlificApi, pauses: list[float]) -> None:
    prolific.fail(429, Retry_After=format_datetime(datetime.now(UTC) + timedelta(seconds=4), usegmt=True))
    api.study("s1")
    assert 2 < pauses[0] <= 4


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_it_backs_off_and_goes_on(prolific: PlayedProlific, api: ProlificApi, pauses: list[float], status: int) -> None:
    prolific.fail(status, times=3)
    assert api.set_places("s1", 11).places == 11
    assert pauses == [1.0, 2.0, 4.0]


def test_it_gives_up_at_last_and_says_so(prolific: PlayedProlific, api: ProlificApi) -> None:
    prolific.fail(503, times=9)
    with pytest.raises(ProlificError, match="Prolific failed with the status 503. Try again later."):
        api.study("s1")
    assert len(prolific.asked) == 4


def test_nobody_is_kept_waiting_for_minutes(prolific: PlayedProlific, api: ProlificApi, pauses: list[float]) -> None:
    prolific.fail(429, Retry_After="120")
    with pytest.raises(ProlificError, match="It asks to wait 120 seconds."):
        api.study("s1")
    assert pauses == []


@pytest.mark.parametrize("status", [500, 502, 0])
def test_a_payment_is_never_sent_again(prolific: PlayedProlific, api: ProlificApi, status: int) -> None:
    prolific.bonuses["b1"] = {}
    prolific.fail(status)
    with pytest.raises(AnswerLost, match="Whether it was done"):
        api.pay_bonuses("b1")
    assert len(prolific.asked) == 1


def test_a_payment_that_was_not_taken_is_sent_again(prolific: PlayedProlific, api: ProlificApi) -> None:
    prolific.bonuses["b1"] = {}
    prolific.fail(429, times=2)
    api.pay_bonuses("b1")
    assert prolific.paid == ["b1"] and len(prolific.asked) == 3


def test_a_connection_that_breaks_is_tried_again_where_that_does_no_harm(
    prolific: PlayedProlific, api: ProlificApi, pauses: list[float]
) -> None:
    prolific.fail(0)
    assert api.study("s1").id == "s1" and pauses == [1.0]


def test_a_wrong_token_is_told(prolific: PlayedProlific) -> None:
    with pytest.raises(ProlificError, match="PROLIFIC_API_TOKEN"):
        ProlificApi(prolific.url, "wrong").study("s1")


def test_without_a_token_nothing_is_sent(prolific: PlayedProlific) -> None:
    with pytest.raises(ProlificError, match="needs PROLIFIC_API_TOKEN"):
        ProlificApi(prolific.url, "").study("s1")
    assert prolific.asked == []


def test_an_unknown_study_is_told(api: ProlificApi) -> None:
    with pytest.raises(NotFound, match="knows nothing by that id"):
        api.study("s9")
    with pytest.raises(NotFound):
        list(api.submissions("s9"))


def test_a_refusal_is_told_in_prolifics_words(api: ProlificApi) -> None:
    with pytest.raises(ProlificError, match="total_available_places: The number of places can only be increased."):
        api.set_places("s1", 3)
    with pytest.raises(ProlificError, match="not in the study: sub9"):
        api.set_up_bonuses("s1", {"sub9": Decimal(1)})


@pytest.mark.parametrize(
    ("body", "said"),
    [({"detail": "Plainly."}, "Plainly."), ({"message": "In short."}, "In short."), (["One", "Two"], "One; Two")],
)
def test_an_error_is_read_wherever_it_stands(
    prolific: PlayedProlific, api: ProlificApi, body: object, said: str
) -> None:
    prolific.fail(422, body=body)
    with pytest.raises(ProlificError, match=f"Prolific refused: {said}"):
        api.study("s1")


@pytest.mark.parametrize("body", [b"<html>gateway</html>", b""])
def test_an_error_without_words_is_told_by_its_status(prolific: PlayedProlific, api: ProlificApi, body: bytes) -> None:
    prolific.fail(400, body=body)
    with pytest.raises(ProlificError, match="status 400"):
        api.study("s1")


def test_another_server_at_the_address_is_told(prolific: PlayedProlific, api: ProlificApi) -> None:
    prolific.fail(200, body=b"<html>hello</html>")
    with pytest.raises(ProlificError, match="PROLIFIC_API_URL"):
        api.study("s1")


def test_nobody_at_the_address_is_told(pauses: list[float]) -> None:
    with pytest.raises(ProlificError, match="cannot be reached"):
        ProlificApi("http://127.0.0.1:9", TOKEN, pauses.append).study("s1")
    assert pauses == [1.0, 2.0, 4.0]
