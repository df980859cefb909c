import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recruitment import Way
from recruitment.linking import LONGEST_VALUE, MOST_PARAMETERS, exit_url, leave, read

PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"


def test_it_works() -> None:
    arrival = read({"PROLIFIC_PID": "5f0", "STUDY_ID": "s1", "SESSION_ID": "x"}, "PROLIFIC_PID")
    assert arrival.worker == "5f0"
    assert arrival.parameters == {"STUDY_ID": "s1", "SESSION_ID": "x"}


def test_a_link_without_an_id_names_nobody() -> None:
    assert read({"group": "a"}, "PROLIFIC_PID").worker == ""


@pytest.mark.parametrize("unfilled", ["{{%PROLIFIC_PID%}}", "${workerId}", "[ID]", "%%ID%%", "  "])
def test_a_placeholder_that_the_panel_did_not_fill_names_nobody(unfilled: str) -> None:
    assert read({"PROLIFIC_PID": unfilled}, "PROLIFIC_PID").worker == ""


def test_the_id_is_kept_under_no_other_name() -> None:
    assert read({"pid": "5f0ab2", "again": "5f0ab2", "back": "https://x.org/?p=5f0ab2"}, "pid").parameters == {}
    assert read({"pid": "7", "again": "7", "group": "17"}, "pid").parameters == {"group": "17"}


def test_what_is_kept_is_bounded() -> None:
    arrival = read({f"p{number}": "v" * 999 for number in range(99)}, "pid")
    assert len(arrival.parameters) == MOST_PARAMETERS
    assert {len(value) for value in arrival.parameters.values()} == {LONGEST_VALUE}


def test_an_id_behind_many_parameters_is_still_found() -> None:
    assert read({f"p{number}": "v" for number in range(99)} | {"pid": "w1"}, "pid").worker == "w1"


@given(st.dictionaries(st.text(), st.text()))
def test_anything_in_a_link_can_be_stored(query: dict[str, str]) -> None:
    arrival = read(query, "pid")
    assert "\\u0000" not in json.dumps(arrival.parameters)
    "".join([arrival.worker, *arrival.parameters, *arrival.parameters.values()]).encode()


def test_the_exit_carries_the_code() -> None:
    assert exit_url(PROLIFIC, "C1AB", {}) == "https://app.prolific.com/submissions/complete?cc=C1AB"


def test_the_exit_carries_the_arrivals_own_parameters_quoted() -> None:
    url = exit_url("http://panel.example/done/{group}?c={code}&x={missing}", "a&b", {"group": "g/1"})
    assert url == "http://panel.example/done/g%2F1?c=a%26b&x="


@pytest.mark.parametrize(
    "redirect", ["", "javascript:alert(1)", "data:text/html,x", "//evil.example", "https://", "ftp://x.org", "http://["]
)
def test_only_web_addresses_are_a_way_out(redirect: str) -> None:
    assert exit_url(redirect, "C1", {}) == ""


@given(st.text(), st.text())
def test_a_parameter_cannot_change_where_the_exit_leads(code: str, value: str) -> None:
    url = exit_url("https://panel.example/?c={code}&v={v}", code.encode("utf-8", "ignore").decode(), {"v": value})
    assert url.startswith("https://panel.example/?c=")


def test_neither_the_id_nor_the_ticket_is_kept() -> None:
    arrival = read({"pid": "5f0ab2", "ticket": "t1", "group": "a"}, "pid", "ticket")
    assert (arrival.worker, arrival.ticket, arrival.parameters) == ("5f0ab2", "t1", {"group": "a"})


def test_an_address_that_wants_a_code_is_no_exit_without_one() -> None:
    assert leave("completed", Way(code="", redirect=PROLIFIC), {}).url == ""
    assert leave("completed", Way(code="C1", redirect=PROLIFIC), {}).url.endswith("cc=C1")
    assert leave("completed", Way(redirect="https://panel.example/done"), {}).url == "https://panel.example/done"
