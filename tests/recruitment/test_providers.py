import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recruitment import OUTCOMES, PROVIDERS, Provider, Way
from recruitment.linking import SIMULATED
from recruitment.outcomes import ALPHABET, CODE_LENGTH, new_exits

ALL = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


def test_every_provider_is_listed_under_its_name() -> None:
    assert all(provider.name == name for name, provider in PROVIDERS.items())
    assert list(PROVIDERS) == ["prolific", "open_link", "invitation", "class_code", "panel", "mturk_protocol"]


@ALL
@given(st.dictionaries(st.text(), st.text()))
def test_anything_in_a_link_can_be_stored(provider: Provider, query: dict[str, str]) -> None:
    arrival = provider.arrive(query, "pid", {})
    assert "\\u0000" not in json.dumps(arrival.parameters)
    "".join([arrival.worker, arrival.ticket, *arrival.parameters, *arrival.parameters.values()]).encode()


@ALL
def test_the_id_is_kept_nowhere_and_a_simulated_worker_is_known(provider: Provider) -> None:
    parameter = provider.parameter or "pid"
    query = {parameter: "5f0ab2c7", "again": "5f0ab2c7", SIMULATED: "1"}
    arrival = provider.arrive(query, parameter, {})
    assert arrival.worker == ("" if provider.entry == "invitation" else "5f0ab2c7")
    assert "5f0ab2c7" not in str(arrival.parameters) and arrival.parameters[SIMULATED] == "1"


@ALL
@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("redirect", ["javascript:alert(1)", "//evil.example", "data:text/html,x"])
def test_only_web_addresses_are_a_way_out(provider: Provider, outcome: str, redirect: str) -> None:
    assert provider.leave(outcome, Way("C1", redirect), {}).url == ""


@ALL
def test_settings_are_complete_where_none_are_chosen(provider: Provider) -> None:
    chosen: dict[str, Any] = provider.complete_settings({})
    assert chosen == ({"captured": ""} if provider.name == "panel" else {})


@ALL
def test_theirs_maps_to_an_outcome_of_ours(provider: Provider) -> None:
    assert set(provider.statuses.values()) <= {*OUTCOMES, "started", "rejected"}


def test_every_outcome_but_completion_is_made_a_code_of_its_own() -> None:
    exits = new_exits()
    codes = {way["code"] for way in exits.values()}
    assert set(exits) == OUTCOMES.keys() - {"completed"} and len(codes) == len(exits)
    assert all(len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) for code in codes)
    assert not codes & {way["code"] for way in new_exits().values()}
