"""Judgments that were given elsewhere: what people saw is not known, and what an answer scored comes with it.

Their record holds the text, where it is known; their answer the label, its score, and what was counted:
{"answer": "...", "score": ..., "words_needed": ..., "words_in_all": ...}.
"""

from dataclasses import replace
from typing import Any

from protocols.protocol import Answer, Content, Presentation, Protocol, arranged_alike, one_step

COUNTED = ("words_needed", "words_in_all")


def from_elsewhere(protocol: Protocol) -> Protocol:
    """The protocol, as far as judgments from elsewhere have it."""
    return replace(
        protocol,
        template="protocols/elsewhere.html",
        context=_context,
        score=_score,
        label_of=_label,
        counted=_counted,
        steps=one_step,
        arrange=arranged_alike,
        marks=False,
        learning=False,
        settings=None,
        script="",
    )


def _context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    return {"text": content.get("text", ""), "options": []}


def _score(answer: Answer, content: Content, expected: str) -> float | None:
    score: float | None = answer.get("score")
    return score


def _label(answer: Answer) -> str:
    return str(answer["answer"])


def _counted(answer: Answer, content: Content) -> dict[str, int]:
    return {name: answer[name] for name in COUNTED if name in answer}
