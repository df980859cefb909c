from typing import Any

from django import forms

LONGEST_RESPONSE_MS = 86_400_000
LARGEST_NUMBER = 2**63 - 1
LARGEST_SCREEN = 100_000


def _optional_size() -> forms.FloatField:
    return forms.FloatField(required=False, min_value=0, max_value=LARGEST_SCREEN)


class SentForm(forms.Form):
    """What comes with an answer, besides the answer. All but the first may be missing or odd: the answer is worth
    more than its circumstances, so what cannot be read is left out."""

    assignment = forms.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    response_ms = forms.FloatField(required=False, min_value=0, max_value=LONGEST_RESPONSE_MS)
    width = _optional_size()
    height = _optional_size()
    ratio = _optional_size()
    scheme = forms.ChoiceField(required=False, choices=[("light", "light"), ("dark", "dark")])

    def read(self) -> tuple[int, int | None, dict[str, Any]]:
        """The assignment's number (0 where there is none), the response time, and what was on screen."""
        self.is_valid()
        read = self.cleaned_data
        milliseconds = read.get("response_ms")
        shown = {name: read[name] for name in ("width", "height", "ratio", "scheme") if read.get(name)}
        return read.get("assignment") or 0, None if milliseconds is None else round(milliseconds), shown


class PracticeForm(forms.Form):
    step = forms.IntegerField(min_value=0, max_value=1000)
