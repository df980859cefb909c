"""How strongly each word of a heat map is marked.

A word's strength is its score relative to the largest in the text, in five steps; under a tenth of the largest it
is not marked. Signed scores keep their sign (for, against); unsigned scores below zero speak for nothing and count
as zero. All scores zero or missing: nothing is marked. All scores equal: all are marked equally. Neighbours of one
strength are one mark, with the gap between them, so that a phrase reads as a phrase.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

STEPS = 5
Span = tuple[int, int, float | None]  # start, end, score
Mark = tuple[int, int, int]  # start, end, strength from -STEPS to STEPS


def mark(spans: Sequence[Span], signed: bool, text: str) -> list[Mark]:
    return list(_merged(zip(spans, strengths(spans, signed), strict=True), text))


def strengths(spans: Sequence[Span], signed: bool, steps: int = STEPS) -> list[int]:
    """From -steps to steps, one a span."""
    values = [score or 0.0 for _, _, score in spans]
    if not signed:
        values = [max(value, 0.0) for value in values]
    largest = max((abs(value) for value in values), default=0.0)
    return [_strength(value, largest, steps) for value in values]


def _strength(value: float, largest: float, steps: int) -> int:
    strength = int(steps * (abs(value) / largest) + 0.5) if largest else 0
    return strength if value > 0 else -strength


def _merged(strong: Iterable[tuple[Span, int]], text: str) -> Iterator[Mark]:
    """Joins equal neighbours across white space; a line break or a mark of punctuation keeps them apart."""
    open_mark: Mark | None = None
    for (start, end, _), strength in strong:
        if not strength:
            continue
        gap = text[open_mark[1] : start] if open_mark else "\n"
        if open_mark and gap.strip() == "" and "\n" not in gap and open_mark[2] == strength:
            open_mark = (open_mark[0], end, strength)
            continue
        if open_mark:
            yield open_mark
        open_mark = (start, end, strength)
    if open_mark:
        yield open_mark


def css_class(strength: int, signed: bool) -> str:
    """As the stylesheet names it."""
    return f"{'level' if not signed else 'for' if strength > 0 else 'against'}-{abs(strength)}"


def marked_text(text: str, marks: Iterable[Mark], signed: bool) -> Iterator[str]:
    """Pieces of HTML, all of the text with its marks."""
    done = 0
    for start, end, strength in marks:
        yield escape(text[done:start])
        yield f'<span class="mark {css_class(strength, signed)}">{escape(text[start:end])}</span>'
        done = end
    yield escape(text[done:])
