"""Which words of a source can be ranked and shown."""

import math
from collections.abc import Sequence
from typing import Protocol

from language.words import is_punctuation


class Scored(Protocol):
    """Words of a text with their scores, as `Source` has them."""

    @property
    def content(self) -> str: ...
    @property
    def starts(self) -> Sequence[int]: ...
    @property
    def ends(self) -> Sequence[int]: ...
    @property
    def scores(self) -> Sequence[float | None]: ...


def word_spans(source: Scored) -> list[tuple[int, int, float | None]]:
    return spans_of(source.content, source.starts, source.ends, source.scores)


def spans_of(
    content: str, starts: Sequence[int], ends: Sequence[int], scores: Sequence[float | None]
) -> list[tuple[int, int, float | None]]:
    """(start, end, score) of each word in text order, without punctuation; None where no finite score exists."""
    return [
        (start, end, score if score is not None and math.isfinite(score) else None)
        for start, end, score in zip(starts, ends, scores, strict=True)
        if not is_punctuation(content[start:end])
    ]


def ranked(spans: Sequence[tuple[int, int, float | None]]) -> list[int]:
    """Places of the words that have a score, by score descending, ties by position."""
    order = sorted((-score, place) for place, (_, _, score) in enumerate(spans) if score is not None)
    return [place for _, place in order]
