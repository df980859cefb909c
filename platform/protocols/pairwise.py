"""Say which of two explanations of one text is better: two maps of the same prediction side by side.

Which method stands first in the record is fixed by the condition; which one a worker sees on the left is drawn anew for
each item and stored with the answer, so that a preference for a side can be told from one for a method. Answers name
the methods (`first`, `second`), never the sides.
"""

import random
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from protocols.choosing import SettingsForm, one_of
from protocols.displays import ALL, Painted, draw
from protocols.protocol import Answer, Content, Option, Presentation, Protocol, Source

FIRST, SECOND, TIE = "first", "second", "tie"
VALUES = {FIRST: 1.0, TIE: 0.5, SECOND: 0.0}
NAMES = ("A", "B")
ALLOWED, REFUSED = "allowed", "refused"


class PairSettings(SettingsForm):
    ties = one_of(
        "When both are alike",
        {ALLOWED: "Workers may say that neither is better", REFUSED: "Workers have to choose one"},
    )


def stimulus(source: Source) -> Content:
    if len(source.maps) != 2:
        raise ValueError("pairwise needs the maps of two methods.")
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "predicted": source.predicted,
        "maps": [draw(source, 0), draw(source, 1)],
        "ties": PairSettings.complete(source.settings)["ties"] == ALLOWED,
    }


def arrange(content: Content, worker: random.Random, item: random.Random) -> Presentation:
    return {"left": item.choice([FIRST, SECOND])}


def sides(presentation: Presentation) -> list[str]:
    """Which method stands left and which right; on a narrow screen above and below."""
    return [SECOND, FIRST] if presentation.get("left") == SECOND else [FIRST, SECOND]


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    order = sides(presentation)
    maps = dict(zip((FIRST, SECOND), content["maps"], strict=True))
    return {
        "panels": [(name, Painted(content["text"], maps[side])) for name, side in zip(NAMES, order, strict=True)],
        "options": _options(content, order),
    }


def _options(content: Content, order: list[str]) -> list[Option]:
    found = [
        Option(side, gettext("%(name)s is better") % {"name": name}) for name, side in zip(NAMES, order, strict=True)
    ]
    return found + ([Option(TIE, gettext("Neither is better"), quiet=True)] if content["ties"] else [])


class PairForm(forms.Form):
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
        answer.choices = [(value, value) for value in VALUES if value != TIE or content["ties"]]


def score(answer: Answer, content: Content, expected: str) -> float:
    """1 where the first method was preferred, 0 where the second was, a half where neither."""
    return VALUES[answer["answer"]]


def feedback(answer: Answer, content: Content, expected: str) -> str:
    return gettext("There is no right or wrong here: your own impression is what counts.")


PAIRWISE = Protocol(
    name="pairwise",
    label="Choose the better of two",
    summary="Workers see one text marked by two methods, side by side, and say which explain the prediction better.",
    maps=2,
    level="nominal",
    version=1,
    default_question="Which marks explain this prediction better?",
    default_instructions=(
        "A computer program read each text and made a prediction about it. You will see the same text twice, A and B, "
        "with different words marked. The marked words are said to be those that led the program there: the stronger "
        "a word is marked, the more it is said to have mattered.\n\n"
        "Compare the marks and say which explain the prediction better.\n\n"
        "You judge the marks, not the prediction: marks can explain a wrong prediction well."
    ),
    displays=ALL,
    settings=PairSettings,
    template="protocols/pairwise.html",
    stimulus=stimulus,
    arrange=arrange,
    context=context,
    form=PairForm,
    score=score,
    feedback=feedback,
)
