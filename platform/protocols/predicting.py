"""What protocols share in which workers say what the model will say: the text with its heat map, the labels to choose
from, and what is right."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.displays import draw, painted
from protocols.protocol import Answer, Content, Option, Source


def explained(source: Source) -> Content:
    """The text with the model's output, and its map as it is drawn; `map` is None in an arm without one."""
    return {
        "language": source.language,
        "text": source.content,
        "predicted": source.predicted,
        "map": draw(source),
    }


def explained_context(content: Content) -> dict[str, Any]:
    return {"body": escape(content["text"]), "map": painted(content)}


def plain_context(content: Content) -> dict[str, Any]:
    return {"body": escape(content["text"])}


def options(content: Content) -> list[Option]:
    return [Option(label, label) for label in content["choices"]]


class OutputForm(forms.Form):
    answer = forms.ChoiceField(
        error_messages={
            "required": gettext_lazy("Choose an answer first."),
            "invalid_choice": gettext_lazy("Choose one of the answers below."),
        }
    )

    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        answer = self.fields["answer"]
        assert isinstance(answer, forms.ChoiceField)
        answer.choices = [(option.value, option.label) for option in options(content)]


def score(answer: Answer, content: Content, expected: str) -> float:
    """1 where the model's output was foretold, right or wrong as that output may be; 0 otherwise."""
    return float(answer["answer"] == expected)


def feedback(answer: Answer, content: Content, expected: str) -> str:
    if answer["answer"] == expected:
        return _("Well foretold: the program says “%(label)s”.") % {"label": expected}
    return _("Not this time: the program says “%(label)s”.") % {"label": expected}
