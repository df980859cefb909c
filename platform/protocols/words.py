"""Which words of a source can be ranked and shown."""

import math

from language.words import segment
from protocols.protocol import Source


def is_punctuation(span: str) -> bool:
    return all(piece.punctuation for piece in segment(span))


def word_spans(source: Source) -> list[tuple[int, int, float | None]]:
    """(start, end, score) of each word in text order, without punctuation; None where no finite score exists."""
    return [
        (start, end, score if score is not None and math.isfinite(score) else None)
        for start, end, score in zip(source.starts, source.ends, source.scores, strict=True)
        if not is_punctuation(source.content[start:end])
    ]
