"""What the page of a text shows: heat maps as plain data, from a database or from a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from catalogue.imported import FAMILY, is_imported
from catalogue.methods import Method
from materials.counting import counted
from protocols.marking import Mark, Span, css_class, mark, marked_text, strengths
from protocols.words import ranked, word_spans

# Attributions that miss a tenth of what they claim to add up to are marked wherever the method is shown.
LARGE_ERROR = 0.1
BAR_STEPS = 20
# How strongly it is marked: there is no more and less in it.
RATIONALE = 3
MOST_LABELS = 12
DISPLAYS = {"colour": "Colour", "bars": "Bars", "numbers": "Numbers"}


@dataclass(frozen=True)
class HeatMap:
    """One explanation. `key` names it on the page and in links; `settings` are parameters that are not the default.

    `starts` and `ends` are code points into `content`; `scores` has None where the model never saw the word, or where
    who made an `imported` map gave it no score. `about` says what the method does, and whose it is.
    Punctuation has scores, but is neither ranked nor marked, as on the workers' pages.
    """

    key: str
    label: str
    settings: Mapping[str, Any]
    signed: bool
    target: str
    content: str
    starts: Sequence[int]
    ends: Sequence[int]
    scores: Sequence[float | None]
    special: Sequence[tuple[str, float]] = ()
    completeness_error: float | None = None
    seconds: float | None = None
    about: str = ""
    imported: bool = False

    @property
    def title(self) -> str:
        return f"{self.label} ({self.setting})" if self.settings else self.label

    @property
    def setting(self) -> str:
        return ", ".join(f"{name} = {_shown_value(value)}" for name, value in self.settings.items())

    @property
    def error_percent(self) -> str:
        return shown_error(self.completeness_error or 0)

    @property
    def error_is_large(self) -> bool:
        return abs(self.completeness_error or 0) > LARGE_ERROR

    @property
    def took(self) -> str:
        return shown_seconds(self.seconds) if self.seconds else ""

    @property
    def seen(self) -> int:
        return len(self.ranks)

    @property
    def unseen(self) -> int:
        return len(self.spans) - self.seen

    @property
    def unseen_in_words(self) -> str:
        """Of a map from elsewhere nobody knows why a word has no score."""
        return f"{counted(self.unseen, 'word')} {'without a score' if self.imported else 'not seen'}"

    @property
    def largest(self) -> str:
        scores = [abs(score) for _, _, score in self.spans if score is not None and (self.signed or score > 0)]
        return f"{max(scores, default=0):.3g}"

    @property
    def special_scores(self) -> list[tuple[str, str]]:
        """None where the method scores words alone."""
        if not any(score for _, score in self.special):
            return []
        return [(piece, shown_score(score, self.signed)) for piece, score in self.special]

    @cached_property
    def spans(self) -> list[Span]:
        return word_spans(self)

    @cached_property
    def marks(self) -> list[Mark]:
        return mark(self.spans, self.signed, self.content)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """By where a word starts, from 1; words without a score have none."""
        return {self.spans[place][0]: rank for rank, place in enumerate(ranked(self.spans), start=1)}

    @property
    def body(self) -> SafeString:
        """Built here, not in a template: a page may hold ten thousand words. Static/js/maps.js reads the attributes."""
        return mark_safe("".join(self._pieces()))

    def _pieces(self) -> Iterator[str]:
        opening = {start: css_class(strength, self.signed) for start, _, strength in self.marks}
        closing = {end for _, end, _ in self.marks}
        bars = dict(zip((span[0] for span in self.spans), strengths(self.spans, self.signed, BAR_STEPS), strict=True))
        done = 0
        for start, end, score in zip(self.starts, self.ends, self.scores, strict=True):
            yield escape(self.content[done:start])
            if start in opening:
                yield f'<span class="mark {opening[start]}">'
            yield f"<span {self._attributes(start, score, bars)}>{escape(self.content[start:end])}</span>"
            if end in closing:
                yield "</span>"
            done = end
        yield escape(self.content[done:])

    def _attributes(self, start: int, score: float | None, bars: Mapping[int, int]) -> str:
        if score is None:
            return f'class="w not-seen{" no-score" if self.imported else ""}"'
        shown = shown_score(score, self.signed)
        if start not in self.ranks:
            return f'class="w aside" data-s="{shown}"'
        bar = bars[start]
        below = " below" if bar < 0 else ""
        return f'class="w b{abs(bar)}{below}" data-s="{shown}" data-r="{self.ranks[start]}"'


@dataclass(frozen=True)
class Chance:
    """The model's output for one label; `share` is None where it is no probability."""

    label: str
    value: float
    is_predicted: bool
    is_gold: bool

    @property
    def share(self) -> float | None:
        return self.value if 0 <= self.value <= 1 else None

    @property
    def shown(self) -> str:
        return f"{self.value:.3f}"


@dataclass(frozen=True)
class Picture:
    """A text, what one classifier makes of it, and the heat maps of one target."""

    key: str
    content: str
    language: str
    gold: str
    predicted: str
    chances: Sequence[Chance]
    maps: Sequence[HeatMap]
    # [start, end] of what people marked, or [start, end, weight].
    rationale: Sequence[Sequence[int]] = ()

    @property
    def marked_by_people(self) -> SafeString:
        marks: list[Mark] = []
        for start, end, *weight in sorted(map(list, self.rationale)):
            # Spans of several people may overlap.
            start = max(start, marks[-1][1]) if marks else start
            if start < end and weight != [0]:
                marks.append((start, end, RATIONALE))
        return mark_safe("".join(marked_text(self.content, marks, signed=False)))

    @property
    def listed(self) -> list[Chance]:
        """All labels, or of many the most probable, and those that were to be told."""
        likely = sorted(self.chances, key=lambda one: -one.value)[:MOST_LABELS]
        return [one for one in self.chances if one in likely or one.is_predicted or one.is_gold]

    @property
    def has_signed(self) -> bool:
        return any(one.signed for one in self.maps)

    @property
    def has_unsigned(self) -> bool:
        return any(not one.signed for one in self.maps)

    @property
    def has_unseen(self) -> bool:
        return any(one.unseen and not one.imported for one in self.maps)

    @property
    def has_unscored(self) -> bool:
        return any(one.unseen and one.imported for one in self.maps)


@dataclass(frozen=True)
class Panel:
    """A heat map with the addresses of its figures."""

    map: HeatMap
    svg: str
    tex: str


def label_of(names: Sequence[str], index: int) -> str:
    return names[index] if index < len(names) else f"output {index}"


def settings_of(method: Method, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that are not the catalogue's defaults, or not in the catalogue any more."""
    usual = {one.name: _plain(one.default) for one in method.parameters}
    return {name: value for name, value in params.items() if name not in usual or usual[name] != _plain(value)}


def about(method: Method) -> str:
    """What it does and whose it is; of a method that is gone nothing. An imported one's tells its source."""
    if is_imported(method.name):
        return method.description
    return "" if method.family == FAMILY else f"{method.description} {method.citation}."


def chances(labels: Sequence[str], probabilities: Sequence[float], predicted: str, gold: str) -> list[Chance]:
    """Gold labels may be written with other capitals."""
    return [
        Chance(label, value, label == predicted, label.casefold() == gold.casefold())
        for label, value in zip(labels, probabilities, strict=True)
    ]


def shown_score(score: float, signed: bool) -> str:
    """Three digits, with a sign where it has a meaning; a minus as long as the plus."""
    return f"{score + 0.0:{'+' if signed else ''}.3g}".replace("-", "\N{MINUS SIGN}")


def shown_error(error: float) -> str:
    """A relative completeness error in per cent, with no more digits than anybody reads."""
    percent = 100 * abs(error)
    if percent > 1000:
        return "over 1,000 %"
    if percent < 0.01:
        return "under 0.01 %"
    return f"{percent:,.0f} %" if percent >= 100 else f"{percent:.3g} %"


def shown_seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.95 else f"{max(1, 1000 * seconds):.0f} ms"


def _shown_value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
