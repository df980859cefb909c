"""Words as a person sees them: spans of the stored text, by Unicode's word boundaries (UAX 29).

Offsets are code points into the exact text given; nothing is normalised, so NFC, NFD, emoji, CRLF and
right-to-left text keep their characters. Tailored where UAX 29 invites it: white space (NBSP and NNBSP
too) always separates, hyphens and addresses stay inside their word, a colon only joins letters in
Swedish and Finnish, and dictionaries find the words of Chinese, Japanese and Thai.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from itertools import pairwise
from typing import NamedTuple

from language.boundaries import word_cuts
from language.segmenters import UNSPACED, dictionaries, han_language, joined


class Word(NamedTuple):
    start: int
    end: int
    punctuation: bool


_CHUNK = re.compile(r"\S+")
_PLAIN = re.compile(r"[A-Za-z0-9]+")
# Beside scripts without spaces nothing else ends an address: it holds their letters only where a part of it
# begins with them (".../wiki/東京"), and none of their punctuation.
_STOPS = '\\s<>"\u3001-\u3003\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f'
_LETTER = f"(?![{UNSPACED}])[\\w"
_ADDRESS = re.compile(
    rf"(?:(?:https?|ftp)://|www\.)(?:[^{_STOPS}{UNSPACED}]|(?<=[/=#_-])[{UNSPACED}]+)+(?<![\s<>\"'.,;:!?)\]}}…’”»])"
    rf"|(?:(?<![\w.+-])|(?<=[{UNSPACED}]))(?:{_LETTER}.+-])++@(?:{_LETTER}-])+(?:\.(?:{_LETTER}-])+)+",
    re.IGNORECASE,
)
_HYPHENS = frozenset("-\u2010\u2011")
_COLON_LANGUAGES = frozenset({"fi", "sv"})
_UAX29 = f"UAX 29 (uniseg {version('uniseg')})"
# Where no space divides words, a run is a sentence or a page: it seldom comes again, and would fill the cache.
_CACHED_CHARACTERS = 40


def segment(content: str, language: str = "") -> list[Word]:
    """The words and punctuation marks of `content`, in order, disjoint, covering all but white space.

    `language` is a BCP 47 tag. It decides whose dictionary reads Han characters; where it is neither
    Chinese nor Japanese, a text with kana is read as Japanese, one without as Chinese. Kana is always
    Japanese and Thai script always Thai.
    """
    tag = _primary(language)
    colon_joins = tag in _COLON_LANGUAGES
    han = "" if content.isascii() else han_language(content, tag)
    words: list[Word] = []
    for chunk in _CHUNK.finditer(content):
        offset = chunk.start()
        found = (_pieces if len(chunk[0]) <= _CACHED_CHARACTERS else _pieces.__wrapped__)(chunk[0], colon_joins, han)
        words.extend(Word(start + offset, end + offset, mark) for start, end, mark in found)
    return words


def rule(content: str, language: str = "") -> str:
    """What finds the words of `content`, with versions: "UAX 29 (uniseg 0.10.1), Thai by pythainlp 5.4.0"."""
    return ", ".join([_UAX29, *dictionaries(content, han_language(content, _primary(language)))])


def _primary(language: str) -> str:
    return language.lower().replace("_", "-").split("-")[0]


# Texts repeat their words, and the boundary rules are slow: 100,000 texts hit the cache nearly always.
@lru_cache(maxsize=1 << 16)
def _pieces(chunk: str, colon_joins: bool, han: str) -> tuple[tuple[int, int, bool], ...]:
    """The segments of a run without white space: start, end, whether it is punctuation."""
    if _PLAIN.fullmatch(chunk):
        return ((0, len(chunk), False),)
    spans: list[tuple[int, int]] = []
    done = 0
    for address in _ADDRESS.finditer(chunk):
        spans += _between(chunk, done, address.start(), colon_joins, han)
        spans.append(address.span())
        done = address.end()
    spans += _between(chunk, done, len(chunk), colon_joins, han)
    return tuple((start, end, is_punctuation(chunk[start:end])) for start, end in spans)


def _between(chunk: str, start: int, end: int, colon_joins: bool, han: str) -> list[tuple[int, int]]:
    part = chunk[start:end]
    spans = _join_hyphens(part, list(_boundaries(part, colon_joins, han)))
    return [(start + left, start + right) for left, right in spans]


def _boundaries(part: str, colon_joins: bool, han: str) -> Iterator[tuple[int, int]]:
    cuts = word_cuts(part)
    if not colon_joins:
        cuts |= {at + side for at, character in enumerate(part) if character == ":" for side in (0, 1)}
    return pairwise(sorted(cuts if part.isascii() else joined(part, cuts, han)))


def _join_hyphens(part: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Rejoin "re-use" and "state-of-the-art": one hyphen between two words."""
    joined: list[tuple[int, int]] = []
    for index, (start, end) in enumerate(spans):
        after_hyphen = (
            index >= 2
            and part[slice(*spans[index - 1])] in _HYPHENS
            and not is_punctuation(part[slice(*spans[index - 2])])
            and not is_punctuation(part[start:end])
        )
        if after_hyphen:
            joined.pop()
            start = joined.pop()[0]
        joined.append((start, end))
    return joined


def is_punctuation(span: str) -> bool:
    return not any(_is_wordlike(character) for character in span)


def _is_wordlike(character: str) -> bool:
    """Letters, digits, pictures (emoji) and characters newer than this Python's Unicode tables."""
    category = unicodedata.category(character)
    return category[0] in "LN" or category in ("So", "Co", "Cn")
