"""Questions to a worker besides the items, as forms: before the work, about the instructions, after the work."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.asking import CHOICE, NUMBER, Question

DECLINED = "declined"
LONGEST_ANSWER = 1000
LARGEST = 1e9
# A position among the choices, a number, a text; None where the worker prefers not to say, "" where nothing was said.
Value = int | float | str | None


class Asked(NamedTuple):
    """One question on the page; `decline` is the box for those who prefer not to say, where the field has none."""

    question: Question
    field: forms.BoundField
    decline: forms.BoundField | None


class QuestionsForm(forms.Form):
    """`declinable`: “Prefer not to say” stands beside every question."""

    def __init__(
        self, questions: Sequence[Question], data: Mapping[str, Any] | None = None, declinable: bool = True
    ) -> None:
        super().__init__(data)
        self.questions = questions
        for at, question in enumerate(questions):
            self.fields[f"q{at}"] = _field(question, declinable)
            if declinable and question.get("kind", CHOICE) != CHOICE:
                self.fields[f"d{at}"] = forms.BooleanField(required=False, label=_("Prefer not to say"))

    def asked(self) -> Iterator[Asked]:
        for at, question in enumerate(self.questions):
            decline = self[f"d{at}"] if f"d{at}" in self.fields else None
            yield Asked(question, self[f"q{at}"], decline)

    def clean(self) -> dict[str, Any]:
        """A box to decline stands for the field beside it."""
        data = self.cleaned_data
        for at, question in enumerate(self.questions):
            missing = data.get(f"q{at}") in (None, "") and f"q{at}" not in self.errors
            if missing and not question.get("optional") and not data.get(f"d{at}"):
                self.add_error(f"q{at}", _("Please answer this question."))
        return data

    def values(self) -> list[Value]:
        return [self._value(at, question) for at, question in enumerate(self.questions)]

    def _value(self, at: int, question: Question) -> Value:
        given = self.cleaned_data.get(f"q{at}")
        if given == DECLINED or self.cleaned_data.get(f"d{at}"):
            return None
        if given in (None, ""):
            return ""
        return int(given) if question.get("kind", CHOICE) == CHOICE else given


def _field(question: Question, declinable: bool) -> forms.Field:
    match question.get("kind", CHOICE):
        case "choice":
            choices: list[tuple[str, Any]] = [(str(at), choice) for at, choice in enumerate(question["choices"])]
            declining = [(DECLINED, _("Prefer not to say"))] if declinable else []
            return forms.ChoiceField(choices=choices + declining, widget=forms.RadioSelect, required=False)
        case "number":
            number = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"})
            invalid = {"invalid": _("Please give a number, in digits.")}
            return forms.FloatField(
                required=False, min_value=-LARGEST, max_value=LARGEST, widget=number, error_messages=invalid
            )
    return forms.CharField(max_length=LONGEST_ANSWER, widget=forms.Textarea(attrs={"rows": 2}), required=False)


def told(question: Question, value: Value) -> str:
    """An answer in the researcher's words."""
    if value is None:
        return "prefer not to say"
    if question.get("kind", CHOICE) == CHOICE and isinstance(value, int):
        return str(question["choices"][value])
    return f"{value:g}" if question.get("kind") == NUMBER and isinstance(value, float) else str(value)
