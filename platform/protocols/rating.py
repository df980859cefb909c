"""Rate, from 1 to 5, how well one method's highlights explain the model's prediction.

A word's strength is its score relative to the largest in the text, in five steps; under a tenth of the largest it
is not marked. Signed scores keep their sign (for, against); unsigned scores below zero speak for nothing and count
as zero. All scores zero or missing: nothing is marked, and the page says so. All scores equal: all marked equally.
Neighbours of one strength are one mark, with the gap between them, so that a phrase reads as a phrase.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.safestring import mark_safe

from protocols.protocol import Content, Option, Protocol, Source
from protocols.words import word_spans

STEPS = 5
SCALE = tuple(range(1, 6))
STRONG = 4
Mark = tuple[int, int, int]  # start, end, strength from -STEPS to STEPS


def stimulus(source: Source) -> Content:
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "marks": [list(mark) for mark in _merged(_strengths(source), source.content)],
        "signed": source.signed,
        "predicted": source.predicted,
    }


def _strengths(source: Source) -> Iterator[Mark]:
    spans = word_spans(source)
    values = [score or 0.0 for _, _, score in spans]
    if not source.signed:
        values = [max(value, 0.0) for value in values]
    largest = max((abs(value) for value in values), default=0.0)
    for (start, end, _), value in zip(spans, values, strict=True):
        strength = int(STEPS * (abs(value) / largest) + 0.5) if largest else 0
        if strength:
            yield start, end, strength if value > 0 else -strength


def _merged(marks: Iterator[Mark], text: str) -> list[Mark]:
    """Joins equal neighbours across white space; a line break or a mark of punctuation keeps them apart."""
    merged: list[Mark] = []
    for start, end, strength in marks:
        gap = text[merged[-1][1] : start] if merged else "\n"
        if gap.strip() == "" and "\n" not in gap and merged[-1][2] == strength:
            start = merged.pop()[0]
        merged.append((start, end, strength))
    return merged


def context(content: Content) -> dict[str, Any]:
    text, marks = content["text"], content["marks"]
    return {
        "body": mark_safe("".join(_pieces(text, marks, content["signed"]))),
        "options": [Option(str(value), str(value)) for value in SCALE],
        "strong_for": [text[start:end] for start, end, strength in marks if strength >= STRONG],
        "strong_against": [text[start:end] for start, end, strength in marks if strength <= -STRONG],
        "steps": SCALE,
    }


def _pieces(text: str, marks: list[Mark], signed: bool) -> Iterator[str]:
    done = 0
    for start, end, strength in marks:
        kind = "level" if not signed else "for" if strength > 0 else "against"
        yield escape(text[done:start])
        yield f'<span class="mark {kind}-{abs(strength)}">{escape(text[start:end])}</span>'
        done = end
    yield escape(text[done:])


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
    needs_k=False,
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
