import pytest
from django.forms import ValidationError

from campaigns.fields import ExitField, KsField, MethodsField


@pytest.mark.parametrize(
    ("text", "ks"), [("5", [5]), ("5,10", [5, 10]), (" 10 ; 5,5, ", [5, 10]), ("010", [10]), ("10000", [10000])]
)
def test_it_works(text: str, ks: list[int]) -> None:
    assert KsField().clean(text) == ks


@pytest.mark.parametrize(
    "text", ["", ",", "a", "5.5", "-1", "0", "10001", "1 2", "٥x", ",".join(map(str, range(1, 22)))]
)
def test_other_ks_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        KsField().clean(text)


def test_ks_are_shown_as_they_are_typed() -> None:
    assert KsField().prepare_value([5, 10]) == "5, 10"
    assert KsField().prepare_value("5,") == "5,"
    assert not KsField().has_changed([5, 10], "5, 10")


def test_methods_come_in_the_catalogue_s_order() -> None:
    assert MethodsField().clean(["random", "lime", "gradient"]) == ["gradient", "lime", "random"]
    with pytest.raises(ValidationError):
        MethodsField().clean(["magic"])


@pytest.mark.parametrize(
    ("address", "cleaned"),
    [
        ("https://app.prolific.com/submissions/complete?cc={code}", None),
        ("panel.example/done?x={code}", "https://panel.example/done?x={code}"),
        ("http://class.example/", None),
        ("", None),
    ],
)
def test_addresses_are_taken(address: str, cleaned: str | None) -> None:
    assert ExitField(required=False).clean(address) == (address if cleaned is None else cleaned)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "ftp://x.org/", "https://", "https://app.prolific.co/x", "https://x.org/" + "x" * 200],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        ExitField().clean(address)
