"""Scores of pieces to scores of words, by the characters that both cover."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from language.words import Word
from materials.maps.aligning import Span


class Scored(NamedTuple):
    """A piece of a text; its span is None for a special token. A score of None: the model never saw it."""

    name: str
    span: Span | None
    score: float | None


class Merged(NamedTuple):
    """One score a word, None where no piece with a score covers it; the pieces of no word with their own; and the
    places of the words that any piece covers, with or without a score.
    """

    scores: list[float | None]
    special: list[tuple[str, float | None]]
    covered: frozenset[int]

    def rest_zero(self) -> list[float | None]:
        """The scores, with zero for words that no piece covers."""
        return [score if at in self.covered else 0.0 for at, score in enumerate(self.scores)]


def merge(pieces: Iterable[Scored], words: Sequence[Word], content: str) -> Merged:
    """Sum each word's pieces; a piece that spans several words is shared evenly among them."""
    word_at = _word_at(content, words)
    shares: dict[int, list[float]] = {}
    special: list[tuple[str, float | None]] = []
    mentioned: set[int] = set()
    for name, span, score in pieces:
        covered = sorted({*word_at[slice(*span)]} - {-1}) if span else []
        mentioned.update(covered)
        if not covered:
            special.append((name, score))
        elif score is not None:
            for word in covered:
                shares.setdefault(word, []).append(score / len(covered))
    scores: list[float | None] = [None] * len(words)
    for word, parts in shares.items():
        # A lone share stays as it is: adding it to zero would turn -0.0 into 0.0.
        scores[word] = parts[0] if len(parts) == 1 else sum(parts)
    return Merged(scores, special, frozenset(mentioned))


def _word_at(content: str, words: Sequence[Word]) -> list[int]:
    word_at = [-1] * len(content)
    for index, word in enumerate(words):
        word_at[word.start : word.end] = [index] * (word.end - word.start)
    return word_at
