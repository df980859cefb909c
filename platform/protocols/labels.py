"""Labels that people gave elsewhere: nobody is asked so here, so no campaign can be made with it, only imported.

What the people saw is not known beyond the text, where the file has it. A label scores where the right one is known;
an answer may bring a score of its own.
"""

from collections.abc import Mapping
from typing import Any

from django import forms

from protocols.protocol import Answer, Content, Presentation, Protocol, Source


def stimulus(source: Source) -> Content:
    return {"question": source.question, "language": source.language, "text": source.content}


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    return {"text": content.get("text", ""), "options": []}


class LabelForm(forms.Form):
    answer = forms.CharField(max_length=200)

    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)


def score(answer: Answer, content: Content, expected: str) -> float | None:
    """The answer's own score; otherwise 1 or 0 where the right label is known; otherwise the number that it is."""
    if "score" in answer:
        return None if answer["score"] is None else float(answer["score"])
    if expected:
        return float(answer["answer"] == expected)
    return float(answer["answer"]) if content.get("numeric") else None


def feedback(answer: Answer, content: Content, expected: str) -> str:
    return ""


LABELS = Protocol(
    name="labels",
    label="Labels",
    summary="People gave labels elsewhere; what they saw besides the text is not known.",
    level="nominal",
    version=1,
    default_question="",
    default_instructions="",
    template="protocols/labels.html",
    stimulus=stimulus,
    context=context,
    form=LabelForm,
    score=score,
    feedback=feedback,
)
