"""Rate, from 1 to 5, how well one method's highlights explain the model's prediction.

How words are marked is said in `marking`; where no word is marked, the page says so.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.safestring import mark_safe

from protocols.marking import STEPS, mark, marked_text
from protocols.protocol import Content, Option, Presentation, Protocol, Source
from protocols.words import word_spans

SCALE = tuple(range(1, 6))
STRONG = 4


def stimulus(source: Source) -> Content:
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "marks": [list(one) for one in mark(word_spans(source), source.signed, source.content)],
        "signed": source.signed,
        "predicted": source.predicted,
    }


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    text, marks = content["text"], content["marks"]
    return {
        "body": mark_safe("".join(marked_text(text, marks, content["signed"]))),
        "options": [Option(str(value), str(value)) for value in SCALE],
        "strong_for": [text[start:end] for start, end, strength in marks if strength >= STRONG],
        "strong_against": [text[start:end] for start, end, strength in marks if strength <= -STRONG],
        "steps": range(1, STEPS + 1),
    }


class RatingForm(forms.Form):
    answer = forms.TypedChoiceField(
        choices=[(value, value) for value in SCALE],
        coerce=int,
        error_messages={"required": "Choose a number first.", "invalid_choice": "Choose a number from 1 to 5."},
    )

    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)


def score(answer: Mapping[str, Any], content: Content, expected: str) -> float:
    """The rating itself."""
    return float(answer["answer"])


def feedback(answer: Mapping[str, Any], content: Content, expected: str) -> str:
    return f"You gave {answer['answer']} of 5. There is no right or wrong here: your own impression is what counts."


RATING = Protocol(
    name="rating",
    label="Rate the highlights",
    summary="Workers see the whole text, highlighted by one method, with the model's prediction, and rate it 1 to 5.",
    level="ordinal",
    version=1,
    default_question="How well do the marked words explain this prediction?",
    default_instructions=(
        "A computer program read each text and made a prediction about it. The marked words are said to be those "
        "that led it there: the stronger the colour and the thicker the line, the more a word is said to have "
        "mattered.\n\n"
        "Read the text and the marks, then say from 1 (not at all) to 5 (very well) how well the marked words "
        "explain the prediction.\n\n"
        "You judge the marks, not the prediction: marks can explain a wrong prediction well."
    ),
    template="protocols/rating.html",
    stimulus=stimulus,
    context=context,
    form=RatingForm,
    score=score,
    feedback=feedback,
)
