import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.forms import LARGEST_NUMBER, Sent, read_key, read_sent


def test_it_works() -> None:
    data = {"response_ms": "900.4", "active_ms": "800", "away_count": "2", "away_ms": "90.5"}
    data |= {"width": "1280", "height": "800", "ratio": "1.5", "scheme": "dark"}
    shown = {"width": 1280.0, "height": 800.0, "ratio": 1.5, "away_ms": 90.5, "away_count": 2, "scheme": "dark"}
    assert read_sent(data) == Sent(900, 800, shown)
    assert read_key(" 12 ") == 12


def test_nothing_is_needed() -> None:
    assert read_sent({}) == Sent(None, None, {})


@pytest.mark.parametrize("odd", ["", "nan", "inf", "-1", "1e99", "soon", "٣", str(LARGEST_NUMBER + 1), "9" * 400])
def test_what_cannot_be_read_is_left_out(odd: str) -> None:
    data = dict.fromkeys(["response_ms", "width", "away_count"], odd if odd != "٣" else "x")
    assert read_key(odd) == 0
    assert read_sent(data | {"scheme": odd}) == Sent(None, None, {})


@given(st.dictionaries(st.sampled_from(["response_ms", "active_ms", "width", "away_count"]), st.text()))
def test_nothing_is_too_odd_to_be_read(data: dict[str, str]) -> None:
    sent = read_sent(data)
    assert sent.response_ms is None or 0 <= sent.response_ms <= 86_400_000


@given(st.text() | st.integers().map(str))
def test_a_key_is_one_that_the_database_can_look_up(raw: str) -> None:
    assert 0 <= read_key(raw) <= LARGEST_NUMBER
