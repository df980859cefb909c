"""What every protocol tells the rest of the house. No models, no views: plain data in, plain data out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from django import forms

Level = Literal["nominal", "ordinal", "interval"]
Content = dict[str, Any]

CANNOT_TELL = "cannot_tell"


class Option(NamedTuple):
    """One answer button. `quiet` sets an abstention apart from the answers proper."""

    value: str
    label: str
    quiet: bool = False


@dataclass(frozen=True)
class Source:
    """What a stimulus is made from. `scores` has one entry a word: None where the model never saw it.

    `starts` and `ends` are code points into `content`. Punctuation among them is recognised and left aside.
    `language` is a BCP 47 tag, or empty where it is not known.
    """

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
    language: str = ""


@dataclass(frozen=True)
class Protocol:
    """One way to ask workers.

    `stimulus` renders a `Source` into the immutable record that is stored and shown; nothing in it may tell what the
    worker is to find out. `context` turns that record into what `template` needs. `form` parses the answer, and its
    cleaned data is what is stored. `score` is the judgment's value for the analysis, None where the answer gives
    none. `feedback` is what a worker reads after a practice item.
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
    context: Callable[[Content], dict[str, Any]]
    form: Callable[..., forms.Form]  # form(content, data=None)
    score: Callable[[Mapping[str, Any], Content, str], float | None]  # answer, content, expected
    feedback: Callable[[Mapping[str, Any], Content, str], str]  # answer, content, expected
