import pytest

from recruitment import Way
from recruitment.panel import PANEL, PanelForm

QUERY = {"rid": "5f0ab2", "session": "s 1", "country": "DE"}


def test_it_works() -> None:
    arrival = PANEL.arrive(QUERY, "rid", {"captured": "session"})
    assert (arrival.worker, arrival.parameters) == ("5f0ab2", {"session": "s 1"})
    back = PANEL.leave("screened_out", Way("", "https://panel.example/out?s={session}"), arrival.parameters)
    assert back.url == "https://panel.example/out?s=s%201"


def test_without_a_choice_all_is_kept() -> None:
    assert PANEL.arrive(QUERY, "rid", {"captured": ""}).parameters == {"session": "s 1", "country": "DE"}


def test_names_are_tidied() -> None:
    form = PanelForm({"captured": " session ,, country"})
    assert form.is_valid() and form.cleaned_data == {"captured": "session, country"}


@pytest.mark.parametrize("captured", ["a b", "session, {code}", "x" * 61, "é!"])
def test_a_name_that_no_address_can_hold_is_refused(captured: str) -> None:
    assert not PanelForm({"captured": captured}).is_valid()
