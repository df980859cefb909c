import pytest

from accounts.confirming import ConfirmForm


def test_it_works() -> None:
    assert ConfirmForm("Film reviews", {"typed": " Film  reviews "}).is_valid()


@pytest.mark.parametrize(
    ("typed", "says"), [("film reviews", "That is not “Film reviews”"), ("", "Type the name to confirm.")]
)
def test_another_name_is_told(typed: str, says: str) -> None:
    assert says in str(ConfirmForm("Film reviews", {"typed": typed}).errors)
