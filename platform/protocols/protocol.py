"""What every protocol tells the rest of the house. No models, no views: plain data in, plain data out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django import forms

Level = Literal["nominal", "ordinal", "interval"]
Content = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """What a stimulus is made from. `scores` has one entry a word: None where the model never saw it."""

    content: str
    starts: Sequence[int]
    ends: Sequence[int]
    scores: Sequence[float | None]
    signed: bool
    predicted: str
    labels: Sequence[str]
    question: str
    cannot_tell: bool
    k: int | None


@dataclass(frozen=True)
class Protocol:
    """One way to ask workers.

    `stimulus` renders a `Source` into the immutable record that is stored and shown; nothing in it may tell what the
    worker is to find out. `form` builds the answer's form from that record. `score` is the judgment's value for the
    analysis, None where the answer gives none. `feedback` is what a worker reads after a practice item.
    """

    name: str
    label: str
    summary: str
    needs_k: bool
    level: Level
    version: int
    default_question: str
    default_instructions: str
    template: str
    stimulus: Callable[[Source], Content]
    form: Callable[..., forms.Form]  # form(content, data=None)
    score: Callable[[Mapping[str, Any], Content, str], float | None]  # answer, content, expected
    feedback: Callable[[Mapping[str, Any], Content, str], str]
