"""What protocols share in which workers guess a label from some of a text's words."""

import random
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from protocols.choosing import SettingsForm, one_of
from protocols.masking import MASKS
from protocols.protocol import CANNOT_TELL, Answer, Content, Option, Presentation, Source

FIXED, SHUFFLED = "fixed", "shuffled"


class GuessSettings(SettingsForm):
    choice_order = one_of(
        "Order of the labels",
        {FIXED: "The same for every worker", SHUFFLED: "Shuffled for each worker"},
        "Shuffled, a habit of choosing the first label favours none. Each worker keeps one order.",
    )
    mask = one_of(
        "Hidden words",
        MASKS,
        "Bars as long as their words give something away: a short bar before a noun is likely to be “not” or “no”. "
        "The proposed instructions speak of one bar for each word.",
    )


def choices_of(source: Source, settings: Mapping[str, Any]) -> Content:
    return {
        "choices": list(source.labels),
        "cannot_tell": source.cannot_tell,
        "shuffled": settings["choice_order"] == SHUFFLED,
    }


def arrange(content: Content, worker: random.Random, item: random.Random) -> Presentation:
    """The order of the labels, the worker's own for the whole campaign."""
    labels = list(content["choices"])
    if content.get("shuffled"):
        worker.shuffle(labels)
    return {"choices": labels}


def options(content: Content, presentation: Presentation) -> list[Option]:
    order: list[str] = presentation["choices"] if "choices" in presentation else content["choices"]
    labels = [Option(label, label) for label in order]
    return labels + ([Option(CANNOT_TELL, gettext("Cannot tell"), quiet=True)] if content["cannot_tell"] else [])


class GuessForm(forms.Form):
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
        answer.choices = [(option.value, option.label) for option in options(content, {})]


def is_right(answer: Answer, expected: str) -> bool:
    """Cannot tell is not right, as a wrong guess is not."""
    return bool(answer["answer"] == expected)


def feedback(answer: Answer, content: Content, expected: str) -> str:
    if is_right(answer, expected):
        said = gettext("That is right: the answer for the whole text is “%(label)s”.")
    elif answer["answer"] == CANNOT_TELL:
        said = gettext(
            "A fair answer when the words do not give it away. The answer for the whole text is “%(label)s”."
        )
    else:
        said = gettext("Not this time: the answer for the whole text is “%(label)s”.")
    return said % {"label": expected}
