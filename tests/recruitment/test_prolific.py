import pytest

from recruitment import OUTCOMES, Way
from recruitment.prolific import PROLIFIC, STATUSES, status_of

QUERY = {"PROLIFIC_PID": "5f0ab2", "STUDY_ID": "s1", "SESSION_ID": "sub1", "utm": "x"}


def test_it_works() -> None:
    arrival = PROLIFIC.arrive(QUERY, "PROLIFIC_PID", {})
    assert arrival.worker == "5f0ab2"
    assert arrival.parameters == {"STUDY_ID": "s1", "SESSION_ID": "sub1"}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_goes_back_by_its_own_code(outcome: str) -> None:
    exit_ = PROLIFIC.leave(outcome, Way(code=f"C{outcome}"), {})
    assert exit_.url == f"https://app.prolific.com/submissions/complete?cc=C{outcome}" and not exit_.fields


def test_an_outcome_without_a_code_has_no_way_back() -> None:
    assert PROLIFIC.leave("returned", Way(), {}).url == ""


def test_an_address_of_the_researchers_own_wins() -> None:
    assert (
        PROLIFIC.leave("completed", Way("C1", "https://lab.example/?c={code}"), {}).url == "https://lab.example/?c=C1"
    )


def test_a_preview_of_the_researchers_names_nobody() -> None:
    assert PROLIFIC.arrive({"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}, "PROLIFIC_PID", {}).worker == ""
    assert PROLIFIC.named


def test_the_link_carries_what_prolific_fills_in() -> None:
    assert PROLIFIC.query == ("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("RETURNED", "returned"), ("TIMED-OUT", "timed_out"), ("REJECTED", "rejected"), ("APPROVED", "completed")],
)
def test_statuses_are_told_in_our_words(theirs: str, ours: str) -> None:
    assert PROLIFIC.statuses[theirs] == ours


@pytest.mark.parametrize(
    "said", ["AWAITING REVIEW", "AWAITING_REVIEW", "TIMED-OUT", "TIMED_OUT", "timed out", "Approved"]
)
def test_a_status_is_known_however_it_is_spelt(said: str) -> None:
    assert status_of(said) in STATUSES
