from django import forms

from protocols.choosing import SettingsForm, one_of


class Chosen(SettingsForm):
    order = one_of("Order", {"fixed": "Fixed", "shuffled": "Shuffled"})
    words = forms.IntegerField(initial=3, min_value=1)
    marked = forms.BooleanField(initial=True, required=False)


def test_it_works() -> None:
    form = Chosen({"p-order": "shuffled", "p-words": "5", "p-marked": "on"}, prefix="p")
    assert form.is_valid() and form.cleaned_data == {"order": "shuffled", "words": 5, "marked": True}


def test_what_is_not_sent_stands_at_its_default() -> None:
    form = Chosen({"p-words": "5"}, prefix="p")
    assert form.is_valid() and form.cleaned_data == {"order": "fixed", "words": 5, "marked": False}


def test_what_is_sent_empty_is_an_error() -> None:
    form = Chosen({"p-words": ""}, prefix="p")
    assert not form.is_valid() and list(form.errors) == ["words"]


def test_a_default_is_taken_for_what_was_never_chosen() -> None:
    assert Chosen.complete({"words": 7, "of old": 1}) == {"order": "fixed", "words": 7, "marked": True}
