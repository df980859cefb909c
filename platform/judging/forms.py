from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms

LONGEST_RESPONSE_MS = 86_400_000
LARGEST_NUMBER = 2**63 - 1
LARGEST_SCREEN = 100_000
# What the browser tells in numbers, and the most of each.
MOST: dict[str, float] = {
    "response_ms": LONGEST_RESPONSE_MS, "active_ms": LONGEST_RESPONSE_MS, "away_ms": LONGEST_RESPONSE_MS,
    "away_count": 10_000, "width": LARGEST_SCREEN, "height": LARGEST_SCREEN, "ratio": LARGEST_SCREEN,
}  # fmt: skip
# Of what was on screen, and whether the worker was there.
SHOWN = ("width", "height", "ratio", "away_ms", "away_count")
SCHEMES = ("light", "dark")


class Sent(NamedTuple):
    """The times in milliseconds, and what was on screen."""

    response_ms: int | None
    active_ms: int | None
    shown: dict[str, Any]


def read_sent(data: Mapping[str, str]) -> Sent:
    """What comes with an answer, besides the answer. All may be missing or odd: the answer is worth more than its
    circumstances, so what cannot be read is left out. No form: every judgment passes here, none is refused.
    """
    times = {name: _number(data.get(name), most) for name, most in MOST.items()}
    shown: dict[str, Any] = {name: value for name in SHOWN if (value := times.get(name))}
    if data.get("scheme") in SCHEMES:
        shown["scheme"] = data["scheme"]
    if shown.get("away_count"):
        shown["away_count"] = int(shown["away_count"])
    response_ms, active_ms = (None if one is None else round(one) for one in (times["response_ms"], times["active_ms"]))
    return Sent(response_ms, active_ms, shown)


def read_key(raw: str | None) -> int:
    """The number of an assignment; 0, which none has, where there is none to read."""
    digits = (raw or "").strip()
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else 0
    return number if number <= LARGEST_NUMBER else 0


def _number(raw: str | None, most: float) -> float | None:
    try:
        number = float(raw or "")
    except ValueError:
        return None
    return number if 0 <= number <= most else None


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
