"""What every protocol tells the rest of the house. No models, no views: plain data in, plain data out."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from django import forms

Level = Literal["nominal", "ordinal", "interval"]
Content = dict[str, Any]
Answer = Mapping[str, Any]
# What differs between two workers who see the same stimulus, such as sides and order.
Presentation = dict[str, Any]

CANNOT_TELL = "cannot_tell"


class Option(NamedTuple):
    """One answer button. `quiet` sets an abstention apart from the answers proper."""

    value: str
    label: str
    quiet: bool = False


@dataclass(frozen=True)
class Map:
    """One method's scores: one entry a word of its source, None where the model never saw the word."""

    scores: Sequence[float | None]
    signed: bool


@dataclass(frozen=True)
class Edited:
    """The same text after an edit, with what the model predicts for it then."""

    content: str
    predicted: str


@dataclass(frozen=True)
class Source:
    """What a stimulus is made from: a text with as many maps as its condition has methods, none for a baseline.

    `starts` and `ends` are code points into `content`. Punctuation among them is recognised and left aside.
    `baseline` is the name of the arm that needs no map, or empty. `language` is a BCP 47 tag, or empty where it is
    not known. `settings` are the protocol's own, complete. `seed` is the same for all conditions of one text.
    """

    content: str
    starts: Sequence[int]
    ends: Sequence[int]
    maps: Sequence[Map]
    predicted: str
    labels: Sequence[str]
    question: str
    expected: str = ""
    cannot_tell: bool = False
    k: int | None = None
    baseline: str = ""
    display: str = "colour"
    language: str = ""
    edited: Edited | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""

    @property
    def scores(self) -> Sequence[float | None]:
        """Of the first method; all missing where there is none."""
        return self.maps[0].scores if self.maps else [None] * len(self.starts)

    @property
    def signed(self) -> bool:
        return bool(self.maps) and self.maps[0].signed


def arranged_alike(content: Content, worker: random.Random, item: random.Random) -> Presentation:
    return {}


def one_step(content: Content) -> int:
    return 0


def nothing_counted(answer: Answer, content: Content) -> dict[str, int]:
    return {}


def plain_label(answer: Answer) -> str:
    return str(answer["answer"])


@dataclass(frozen=True)
class Protocol:
    """One way to ask workers.

    `maps` is how many methods' maps a condition shows: 0, 1 or 2. `baselines` are the arms without a map that make
    sense (names of `catalogue.baselines`). `displays` are the ways of showing saliency to choose from, none where
    none is shown. `between` keeps every worker on one method. `learning` shows solved examples with their maps first.
    `judges` says whether a right answer can be chosen to be the gold label; otherwise it is the model's prediction.

    `stimulus` renders a `Source` into the immutable record that is stored and shown; nothing in it may tell what the
    worker is to find out. `example` does so for a solved example. `arrange` draws what differs between workers, from a
    generator that is the worker's own and one that is this item's own. `context` turns record, arrangement and the
    number of steps taken into what `template` needs. `steps` is how often a worker may ask to see more. `form` parses
    the answer, and its cleaned data is what is stored. `label` is the answer in one word, for agreement. `score` is
    the judgment's value for the analysis, None where the answer gives none. `feedback` is what a worker reads after a
    practice item. `settings` is a form of the protocol's own choices; its initial values are the defaults. `edits`
    shows each text beside an edit of it. `marks` says that workers mark words, which can become the texts' rationales.
    `wording` names what of the record is wording, and so is shown in the worker's language; texts and labels are not.
    `counted` is what the analysis needs beside the score: `words_needed` and `words_in_all`, where they make sense.
    `script` is the protocol's own file under static/js, without which its pages work too.
    """

    name: str
    label: str
    summary: str
    level: Level
    version: int
    default_question: str
    default_instructions: str
    template: str
    stimulus: Callable[[Source], Content]
    context: Callable[[Content, Presentation, int], dict[str, Any]]
    form: Callable[..., forms.Form]  # form(content, data=None)
    score: Callable[[Answer, Content, str], float | None]  # answer, content, expected
    feedback: Callable[[Answer, Content, str], str]  # answer, content, expected
    maps: Literal[0, 1, 2] = 1
    needs_k: bool = False
    judges: bool = False
    between: bool = False
    learning: bool = False
    edits: bool = False
    marks: bool = False
    script: str = ""
    baselines: tuple[str, ...] = ()
    displays: tuple[str, ...] = ()
    settings: type[forms.Form] | None = None
    example: Callable[[Source], Content] | None = None
    arrange: Callable[[Content, random.Random, random.Random], Presentation] = arranged_alike
    steps: Callable[[Content], int] = one_step
    label_of: Callable[[Answer], str] = plain_label
    wording: tuple[str, ...] = ("question",)
    counted: Callable[[Answer, Content], dict[str, int]] = nothing_counted

    @property
    def asks_label(self) -> bool:
        """Whether workers name one of the classifier's labels."""
        return self.judges or self.learning or self.edits

    @property
    def has_right_answers(self) -> bool:
        """Whether the expected label is what workers are asked for; opinions and marks are neither right nor wrong."""
        return self.asks_label and not self.marks

    def complete_settings(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The protocol's choices, with the defaults for what was not chosen."""
        fields = self.settings.base_fields if self.settings else {}
        return {name: chosen.get(name, one.initial) for name, one in fields.items()}
