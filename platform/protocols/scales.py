"""Scales to answer on: points with a middle or without one, or a slider."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy

from protocols.choosing import one_of
from protocols.protocol import Content, Option

FIVE, SEVEN, SLIDER = "five", "seven", "slider"
WITH_MIDDLE, WITHOUT_MIDDLE = "neutral", "none"
POINTS = {FIVE: 5, SEVEN: 7}
SLIDER_END = 100
LONGEST_END = 60


class Bounds(NamedTuple):
    low: int
    high: int


def scale_field() -> forms.ChoiceField:
    return one_of(
        "Workers answer on", {FIVE: "5 points", SEVEN: "7 points", SLIDER: f"a slider from 0 to {SLIDER_END}"}
    )


def middle_field() -> forms.ChoiceField:
    return one_of(
        "Middle of the scale",
        {WITH_MIDDLE: "A neutral middle", WITHOUT_MIDDLE: "None: one point fewer, so that workers take sides"},
    )


def end_field(label: str, initial: str) -> forms.CharField:
    return forms.CharField(label=label, initial=initial, max_length=LONGEST_END)


def points_of(settings: Mapping[str, Any]) -> int:
    """How many points there are; 0 is a slider."""
    if settings["scale"] == SLIDER:
        return 0
    return POINTS[settings["scale"]] - int(settings["middle"] == WITHOUT_MIDDLE)


def bounds(content: Content) -> Bounds:
    """A record of the first version has five points."""
    points = content.get("points", POINTS[FIVE])
    return Bounds(1, points) if points else Bounds(0, SLIDER_END)


def scale_options(content: Content) -> list[Option]:
    low, high = bounds(content)
    return [Option(str(value), str(value)) for value in range(low, high + 1)] if content.get("points", 5) else []


def spoken(wording: str) -> str:
    """Our own wording in the worker's language; a researcher's as it was written."""
    return gettext(wording) if wording else ""


class ScaleField(forms.IntegerField):
    def __init__(self, content: Content, **kwargs: Any) -> None:
        low, high = bounds(content)
        wrong = gettext_lazy("Choose a number from %(low)d to %(high)d.") % {"low": low, "high": high}
        messages: dict[str, Any] = {"required": gettext_lazy("Choose a number first.")}
        messages |= dict.fromkeys(("invalid", "min_value", "max_value"), wrong)
        super().__init__(min_value=low, max_value=high, error_messages=messages, **kwargs)
