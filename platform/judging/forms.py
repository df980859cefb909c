from typing import Any, NamedTuple

from django import forms

LONGEST_RESPONSE_MS = 86_400_000
LARGEST_NUMBER = 2**63 - 1
LARGEST_SCREEN = 100_000


# Of what was on screen, and whether the worker was there.
SHOWN = ("width", "height", "ratio", "scheme", "away_ms", "away_count")


class Sent(NamedTuple):
    """The assignment's number (0 where there is none), the times in milliseconds, and what was on screen."""

    assignment: int
    response_ms: int | None
    active_ms: int | None
    shown: dict[str, Any]


def _optional_size() -> forms.FloatField:
    return forms.FloatField(required=False, min_value=0, max_value=LARGEST_SCREEN)


class SentForm(forms.Form):
    """What comes with an answer, besides the answer. All but the first may be missing or odd: the answer is worth
    more than its circumstances, so what cannot be read is left out."""

    assignment = forms.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    response_ms = forms.FloatField(required=False, min_value=0, max_value=LONGEST_RESPONSE_MS)
    active_ms = forms.FloatField(required=False, min_value=0, max_value=LONGEST_RESPONSE_MS)
    away_ms = forms.FloatField(required=False, min_value=0, max_value=LONGEST_RESPONSE_MS)
    away_count = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    width = _optional_size()
    height = _optional_size()
    ratio = _optional_size()
    scheme = forms.ChoiceField(required=False, choices=[("light", "light"), ("dark", "dark")])

    def read(self) -> Sent:
        self.is_valid()
        read = self.cleaned_data
        times = {name: None if read.get(name) is None else round(read[name]) for name in ("response_ms", "active_ms")}
        shown = {name: read[name] for name in SHOWN if read.get(name)}
        return Sent(read.get("assignment") or 0, **times, shown=shown)


class TimeForm(forms.Form):
    assignment = forms.IntegerField(min_value=1, max_value=LARGEST_NUMBER)


class PracticeForm(forms.Form):
    step = forms.IntegerField(min_value=0, max_value=1000)


class LearningForm(PracticeForm):
    """`back` is the example before, where the worker goes back to it."""

    back = forms.IntegerField(required=False, min_value=0, max_value=1000)

    def number(self) -> int:
        back, step = self.cleaned_data["back"], self.cleaned_data["step"]
        return int(step if back is None else back)


class MoreForm(forms.Form):
    """The worker asks to see more of an item: `step` is how much it saw before."""

    step = forms.IntegerField(min_value=0, max_value=100_000)


class CheckForm(forms.Form):
    """The answer to an attention check: a position among its choices."""

    check_number = forms.IntegerField(min_value=0, max_value=1000)
    answer = forms.IntegerField(required=False, min_value=0)

    def number(self) -> int | None:
        self.is_valid()
        return self.cleaned_data.get("check_number")

    def choice(self, choices: int) -> int | None:
        chosen: int | None = self.cleaned_data.get("answer")
        return chosen if chosen is not None and chosen < choices else None


class WarningForm(forms.Form):
    assignment = forms.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    choice = forms.ChoiceField(choices=[("show", "show"), ("skip", "skip")])
