import pytest

from recruitment import Way
from recruitment.mturk_protocol import MTURK_PROTOCOL, submit_address

QUERY = {
    "workerId": "A1B2C3D4",
    "assignmentId": "asg1",
    "hitId": "hit1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
    "other": "x",
}


def test_it_works() -> None:
    arrival = MTURK_PROTOCOL.arrive(QUERY, "", {})
    assert arrival.worker == "A1B2C3D4" and not arrival.preview
    back = MTURK_PROTOCOL.leave("completed", Way("C1"), arrival.parameters)
    assert back.url == "https://workersandbox.mturk.com/mturk/externalSubmit"
    assert back.fields == {"assignmentId": "asg1", "outcome": "completed", "code": "C1"}


def test_a_preview_is_nobodys_work() -> None:
    assert MTURK_PROTOCOL.arrive({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, "", {}).preview


@pytest.mark.parametrize("outcome", ["declined", "returned", "timed_out", "full"])
def test_who_did_no_work_posts_nothing(outcome: str) -> None:
    assert MTURK_PROTOCOL.leave(outcome, Way("C1"), QUERY).url == ""


@pytest.mark.parametrize(
    "submit_to",
    [
        "",
        "https://evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com@evil.example",
        "https://evil.example/www.mturk.com",
        "https://www.mturk.com.evil.example",
        "https://www.mturk.com:8443",
        "//www.mturk.com",
        "javascript://www.mturk.com/%0aalert(1)",
        "https://[",
    ],
)
def test_no_other_host_gets_the_assignment(submit_to: str) -> None:
    assert submit_address(submit_to) == ""


@pytest.mark.parametrize("submit_to", ["https://www.mturk.com", "https://www.mturk.com/", "https://WWW.mturk.com/?x#y"])
def test_the_address_is_made_as_the_protocol_says(submit_to: str) -> None:
    assert submit_address(submit_to).lower() == "https://www.mturk.com/mturk/externalsubmit"


def test_hosts_are_set_by_the_server(settings: object) -> None:
    settings.MTURK_SUBMIT_HOSTS = ["turk.lab.example"]  # type: ignore[attr-defined]
    assert submit_address("https://turk.lab.example/sub/") == "https://turk.lab.example/sub/mturk/externalSubmit"
    assert submit_address("https://www.mturk.com") == ""
