"""Chinese, Japanese and Thai words, which no space divides: found in a dictionary, loaded at its first text.

A dictionary only joins what UAX 29 has cut, so no accent, emoji or Latin word is ever torn. It reads a
run with its accents composed and without variation selectors: NFC and NFD give the same words.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from itertools import accumulate, pairwise
from threading import Lock
from typing import NamedTuple

Segmenter = Callable[[str], Iterable[str]]


class Dictionary(NamedTuple):
    language: str
    packages: tuple[str, ...]
    load: Callable[[], Segmenter]


_HAN = "\u2e80-\u2fd5\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
_THAI_RUN = f"(?P<th>[{_THAI}]+)"
_HAN_APART = re.compile(f"(?P<zh>[{_HAN}][{_HAN}{_SELECTORS}]*)|(?P<ja>[{_KANA}]+)|{_THAI_RUN}")
_HAN_WITH_KANA = re.compile(f"(?P<ja>[{_HAN}{_KANA}][{_HAN}{_KANA}{_SELECTORS}]*)|{_THAI_RUN}")
# Small kana and the long-vowel mark lengthen or bend the sound before them: "すごーい" in no dictionary's spelling.
_NEVER_FIRST = frozenset("ぁぃぅぇぉゃゅょゎー")
_ANY_KANA = re.compile(f"[{_KANA}]")
UNSPACED = _HAN + _KANA + _THAI
_ANY_SELECTORS = re.compile(f"[{_SELECTORS}]+")
# Sudachi takes 49,149 bytes at once, and no character has more than four.
_SUDACHI_CHARACTERS = 12_000


def han_language(content: str, language: str) -> str:
    """Whose Han characters these are: the tagged language's; with another tag or none, Japanese beside kana."""
    if language in ("ja", "zh"):
        return language
    return "ja" if _ANY_KANA.search(content) else "zh"


def joined(part: str, cuts: set[int], han: str) -> set[int]:
    """The UAX 29 cuts of `part` without those inside a dictionary's word."""
    dropped: set[int] = set()
    for run in _runs(han).finditer(part):
        inside = [at for at in range(run.start() + 1, run.end()) if at in cuts]
        spans = pairwise([run.start(), *inside, run.end()])
        if inside:
            dropped |= _within_words([part[slice(*span)] for span in spans], inside, str(run.lastgroup))
    return cuts - dropped


def dictionaries(content: str, han: str) -> list[str]:
    """Each dictionary that `content` needs: its language, packages and their versions."""
    names = sorted({str(run.lastgroup) for run in _runs(han).finditer(content)})
    return [_described(DICTIONARIES[name]) for name in names]


def _runs(han: str) -> re.Pattern[str]:
    return _HAN_WITH_KANA if han == "ja" else _HAN_APART


def _within_words(pieces: list[str], inside: list[int], name: str) -> set[int]:
    read = [unicodedata.normalize("NFC", _ANY_SELECTORS.sub("", piece)) for piece in pieces]
    word_ends = set(accumulate(len(word) for word in _segmenter(name)("".join(read))))
    piece_ends = accumulate(len(piece) for piece in read[:-1])
    return {
        cut
        for cut, end, after in zip(inside, piece_ends, read[1:], strict=True)
        if end not in word_ends or after in _NEVER_FIRST
    }


@cache
def _segmenter(name: str) -> Segmenter:
    return DICTIONARIES[name].load()


def _chinese() -> Segmenter:
    from rjieba import Jieba

    # One of our own: words that others add to the package's would change our boundaries.
    return Jieba().cut


def _japanese() -> Segmenter:
    from sudachipy import Dictionary as Sudachi
    from sudachipy import SplitMode

    tokenizer = Sudachi(dict="small").tokenizer(SplitMode.C)
    lock = Lock()

    def cut(run: str) -> list[str]:
        # The tokenizer works in one buffer, and the web serves in threads.
        with lock:
            return [
                stretch[word.begin() : word.end()]
                for stretch in re.findall(f".{{1,{_SUDACHI_CHARACTERS}}}", run)
                for word in tokenizer.tokenize(stretch)
            ]

    return cut


def _thai() -> Segmenter:
    # Its import would create a folder for downloads in the home folder, which may not be writable.
    os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    from pythainlp.tokenize.newmm import segment

    return segment


@cache
def _described(dictionary: Dictionary) -> str:
    return f"{dictionary.language} by " + " with ".join(f"{name} {version(name)}" for name in dictionary.packages)


DICTIONARIES = {
    "ja": Dictionary("Japanese", ("sudachipy", "sudachidict-small"), _japanese),
    "th": Dictionary("Thai", ("pythainlp",), _thai),
    "zh": Dictionary("Chinese", ("rjieba",), _chinese),
}
