"""Labels that people gave elsewhere: nobody is asked so here, so no campaign can be made with it, only imported."""

from django import forms

from protocols.elsewhere import from_elsewhere
from protocols.protocol import Answer, Content, Presentation, Protocol, Source


def stimulus(source: Source) -> Content:
    return {"language": source.language, "text": source.content}


def context(content: Content, presentation: Presentation, step: int) -> Content:
    return {"text": content["text"], "options": []}


def score(answer: Answer, content: Content, expected: str) -> float | None:
    """1 or 0 where the right label is known."""
    return float(answer["answer"] == expected) if expected else None


def feedback(answer: Answer, content: Content, expected: str) -> str:
    return ""


LABELS = from_elsewhere(
    Protocol(
        name="labels",
        label="Labels",
        summary="People gave labels elsewhere; what they saw besides the text is not known.",
        level="nominal",
        version=1,
        default_question="",
        default_instructions="",
        template="",
        stimulus=stimulus,
        context=context,
        form=forms.Form,
        score=score,
        feedback=feedback,
    )
)
