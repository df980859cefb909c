"""One text as the classifier reads it: word pieces, and the words that people see behind them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from language.words import Word, segment

COMBINING: dict[str, Callable[[list[float]], float]] = {"sum": sum, "mean": fmean, "max": max}


@dataclass(frozen=True)
class Encoded:
    """`pairs` holds (piece, word) indices; special tokens and pieces of white space belong to no word.

    A piece may span several words (Chinese, runs of punctuation): each then has an equal share of it.
    Words without a piece lie beyond the model's maximum, or its tokenizer dropped them: it never saw them.
    """

    text_id: str
    content: str
    words: tuple[Word, ...]
    input_ids: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    language: str = ""

    @cached_property
    def words_of(self) -> dict[int, list[int]]:
        """The words of each piece that has any."""
        words: dict[int, list[int]] = {}
        for piece, word in self.pairs:
            words.setdefault(piece, []).append(word)
        return words

    @cached_property
    def pieces_of(self) -> dict[int, list[int]]:
        """The pieces of each word that was seen, in text order."""
        pieces: dict[int, list[int]] = {}
        for piece, word in self.pairs:
            pieces.setdefault(word, []).append(piece)
        return pieces

    @property
    def seen(self) -> list[int]:
        return sorted(self.pieces_of)

    @property
    def special(self) -> list[int]:
        """The pieces of no word: special tokens, and white space that is a piece of its own."""
        return [piece for piece in range(len(self.input_ids)) if piece not in self.words_of]

    def to_words(self, scores: list[float], by: str = "sum") -> list[float | None]:
        """One score a word from those of its pieces, by `sum`, `mean` or `max`; None for a word never seen."""
        combine = COMBINING[by]
        words: list[float | None] = [None] * len(self.words)
        for word, pieces in self.pieces_of.items():
            words[word] = combine([scores[piece] / len(self.words_of[piece]) for piece in pieces])
        return words

    def to_pieces(self, scores: dict[int, float]) -> list[float]:
        """Spread the words' scores evenly over their pieces: `to_words` gives them back."""
        pieces = [0.0] * len(self.input_ids)
        for piece, word in self.pairs:
            pieces[piece] += scores[word] / len(self.pieces_of[word])
        return pieces

    def replaced(self, words: set[int], token: int) -> tuple[int, ...]:
        """The ids with every piece of these words replaced; a shared piece stays with any word."""
        ids = list(self.input_ids)
        for piece in self._pieces_only_of(words):
            ids[piece] = token
        return tuple(ids)

    def without(self, removed: set[int]) -> tuple[int, ...]:
        """The ids left when words are taken out; special tokens stay, a shared piece stays with any word."""
        ids = list(self.input_ids)
        for piece in sorted(self._pieces_only_of(removed), reverse=True):
            del ids[piece]
        return tuple(ids)

    def _pieces_only_of(self, words: set[int]) -> set[int]:
        """Found from the words: far fewer than all pieces are asked for, of many sets of a text's words."""
        own, all_of = self.pieces_of, self.words_of
        pieces = {piece for word in words if word in own for piece in own[word]}
        return pieces if not self._shares else {piece for piece in pieces if words.issuperset(all_of[piece])}

    @cached_property
    def _shares(self) -> bool:
        """Whether any piece is of several words."""
        return any(len(words) > 1 for words in self.words_of.values())


def encode(tokenizer: Any, text_id: str, content: str, language: str, most_pieces: int) -> Encoded:
    """Tokenize once, truncate at the model's maximum and find each piece's words by offsets."""
    words = tuple(segment(content, language))
    encoding = tokenizer(
        content,
        truncation=True,
        max_length=most_pieces,
        padding=False,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        verbose=False,
    )
    word_at = _word_at(content, words)
    pairs = tuple(
        (piece, word)
        for piece, ((start, end), special) in enumerate(
            zip(encoding["offset_mapping"], encoding["special_tokens_mask"], strict=True)
        )
        if not special
        for word in sorted({*word_at[start:end]} - {-1})
    )
    return Encoded(text_id, content, words, tuple(encoding["input_ids"]), pairs, language)


def _word_at(content: str, words: tuple[Word, ...]) -> list[int]:
    word_at = [-1] * len(content)
    for index, word in enumerate(words):
        word_at[word.start : word.end] = [index] * (word.end - word.start)
    return word_at
