"""The ways of drawing a map of scores, for every protocol that shows one.

`draw` makes the record of a stimulus: each word's weight (its score over the largest, so from -1 to 1) and the step it
is drawn with, with the display's name and version. `Painted` turns that record into what templates include.

- **Colour**: five steps of background and of the line below. Cleveland & McGill (1984, doi:10.2307/2288400) put shade
  among the least exactly read of marks, but it leaves a text most readable.
- **Bars**: under each word a bar of its own length on a common line, which the same study puts among the most exactly
  read. All bars are equally wide, so that a long word gets no more ink.
- **Corrected colour**: people take long words for more important than their colour says (Schuff et al. 2022,
  doi:10.1145/3531146.3533127), so the step is that of the weight people would read it as. Their released ratings (CC BY
  4.0; English, 50 workers, 6,449 ratings of words) rise by 5.23 of 7 points over the whole range of saliency, and by
  0.221 (95 % interval 0.187 to 0.254) for a word twice as long, by least squares with a constant for each worker: a
  doubling reads as 0.221 / 5.23 = 0.042 more weight, which is taken off again. Twenty steps, mixed between the paper
  and the full colour in CIELAB, where equal steps of lightness look equal.

Nothing is said by colour alone: lines are solid or dashed and grow with the step, bars are filled or hollow, and a
screen reader hears the strongest words with their weights.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from protocols.marking import STEPS, css_class, strengths
from protocols.protocol import Content, Map, Source
from protocols.words import spans_of

FINE_STEPS = 20
# Of weight, for a word twice as long: see above; tests/protocols/test_displays.py estimates it anew.
LENGTH_EFFECT = 0.042
SPOKEN = 5

Weighed = tuple[int, int, float | None]  # start, end, score or weight


class Drawn(NamedTuple):
    """A word of the record: where it stands, its weight (None where never seen by the model), its step."""

    start: int
    end: int
    weight: float | None
    step: int


@dataclass(frozen=True)
class Display:
    """`joins`: neighbours of one step are one mark, with the gap between them, so that phrases read as phrases."""

    name: str
    label: str
    version: int
    steps: int
    step_all: Callable[[Sequence[Weighed]], list[int]]
    css: Callable[[int, bool], str]
    joins: bool = True


def _coarse(words: Sequence[Weighed]) -> list[int]:
    return strengths(words, signed=True)


def _fine(words: Sequence[Weighed]) -> list[int]:
    return strengths(words, signed=True, steps=FINE_STEPS)


def corrected(words: Sequence[Weighed]) -> list[float]:
    """Weights as they have to be drawn to be read as they are; a word of the text's mean length (log2) keeps its own.

    What is too weak for the first step stays unmarked, however short the word.
    """
    doublings = [math.log2(end - start) for start, end, _ in words]
    mean = sum(doublings) / max(len(doublings), 1)
    return [
        _correct(weight or 0.0, LENGTH_EFFECT * (length - mean))
        for length, (_, _, weight) in zip(doublings, words, strict=True)
    ]


def _correct(weight: float, excess: float) -> float:
    if abs(weight) * FINE_STEPS < 0.5:
        return 0.0
    return math.copysign(min(max(abs(weight) - excess, 0.0), 1.0), weight)


def _as_read(words: Sequence[Weighed]) -> list[int]:
    return [int(math.copysign(int(abs(one) * FINE_STEPS + 0.5), one)) for one in corrected(words)]


def _stick(step: int, signed: bool) -> str:
    return f"stick{' stick-against' if step < 0 else ''} b{abs(step)}"


def _tint(step: int, signed: bool) -> str:
    return f"mark tint{' tint-against' if step < 0 else ''} b{abs(step)}"


COLOUR = Display("colour", "Colour", 1, STEPS, _coarse, lambda step, signed: f"mark {css_class(step, signed)}")
BARS = Display("bars", "Bars under words", 1, FINE_STEPS, _fine, _stick, joins=False)
CORRECTED = Display("corrected", "Perception-corrected colour", 1, FINE_STEPS, _as_read, _tint)
DISPLAYS = {one.name: one for one in (COLOUR, BARS, CORRECTED)}
ALL = tuple(DISPLAYS)


def draw(source: Source, which: int = 0) -> Content | None:
    """What is shown of one map; None where there is none, as in an arm without explanation."""
    if which >= len(source.maps):
        return None
    display, shown = DISPLAYS[source.display], source.maps[which]
    words = weighed(source, shown)
    steps = display.step_all(words)
    return {
        "display": display.name,
        "version": display.version,
        "signed": shown.signed,
        "words": [
            [start, end, None if weight is None else round(weight, 4), step]
            for (start, end, weight), step in zip(words, steps, strict=True)
        ],
    }


def weighed(source: Source, shown: Map) -> list[Weighed]:
    """Words with their weights. Unsigned scores below zero speak for nothing and weigh zero."""
    spans = spans_of(source.content, source.starts, source.ends, shown.scores)
    scores = [score if score is None or shown.signed else max(score, 0.0) for _, _, score in spans]
    largest = max((abs(score) for score in scores if score is not None), default=0.0)
    return [
        (start, end, score if not score else score / largest)
        for (start, end, _), score in zip(spans, scores, strict=True)
    ]


class Spoken(NamedTuple):
    """A strong word, as a screen reader tells it: its weight from 0 to 100."""

    word: str
    weight: int
    against: bool


@dataclass(frozen=True)
class Painted:
    """A record as templates show it. `boxed` is the place of the one word with a frame, if there is one."""

    text: str
    drawn: Content
    boxed: int | None = None

    @property
    def display(self) -> Display:
        return DISPLAYS[self.drawn["display"]]

    @property
    def signed(self) -> bool:
        return bool(self.drawn["signed"])

    @property
    def name(self) -> str:
        return self.display.name

    @cached_property
    def words(self) -> list[Drawn]:
        return [Drawn(*word) for word in self.drawn["words"]]

    @property
    def is_blank(self) -> bool:
        return not any(word.step for word in self.words)

    @property
    def body(self) -> SafeString:
        """Built here, not in a template: a long text has hundreds of marks."""
        return mark_safe("".join(self._pieces()))

    def _pieces(self) -> Iterator[str]:
        done = 0
        for start, end, step, boxed in self._marks():
            yield escape(self.text[done:start])
            word = escape(self.text[start:end])
            word = f'<b class="boxed">{word}</b>' if boxed else word
            yield f'<span class="{self.display.css(step, self.signed)}">{word}</span>' if step else word
            done = end
        yield escape(self.text[done:])

    def _marks(self) -> Iterator[tuple[int, int, int, bool]]:
        """Start, end, step and whether it is framed, of all that is marked in any way."""
        waiting: tuple[int, int, int, bool] | None = None
        for place, (start, end, _, step) in enumerate(self.words):
            boxed = place == self.boxed
            if waiting and not boxed and self._is_one(waiting, start, step):
                waiting = (waiting[0], end, step, False)
                continue
            if waiting:
                yield waiting
            waiting = (start, end, step, boxed) if step or boxed else None
        if waiting:
            yield waiting

    def _is_one(self, mark: tuple[int, int, int, bool], start: int, step: int) -> bool:
        """A line break or a mark of punctuation keeps marks apart."""
        gap = self.text[mark[1] : start]
        return self.display.joins and mark[2] == step and not mark[3] and not gap.strip() and "\n" not in gap

    @property
    def spoken(self) -> list[Spoken]:
        """The strongest words that are marked, strongest first."""
        marked = [word for word in self.words if word.weight and word.step]
        strongest = sorted(marked, key=lambda word: -abs(word.weight or 0.0))[:SPOKEN]
        return [
            Spoken(self.text[start:end], round(100 * abs(weight or 0.0)), step < 0)
            for start, end, weight, step in strongest
        ]

    @property
    def swatches(self) -> list[str]:
        return [self.display.css(step, self.signed) for step in self._legend()]

    @property
    def swatches_against(self) -> list[str]:
        return [self.display.css(-step, self.signed) for step in self._legend()]

    def _legend(self) -> list[int]:
        return [step * self.display.steps // STEPS for step in range(1, STEPS + 1)]


def painted(content: Content, name: str = "map", boxed: int | None = None) -> Painted | None:
    """The map of a record under `name`; None where nothing is explained."""
    drawn: dict[str, Any] | None = content.get(name)
    return Painted(content["text"], drawn, boxed) if drawn else None
