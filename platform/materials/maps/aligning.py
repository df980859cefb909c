"""Tokens of any tokenizer, back to the characters of the text that they came from.

Byte-level tokens are compared byte by byte. All others are compared with the text without white space: as it is,
then without capitals and in compatibility forms, then without accents, until all tokens follow one another in it.
Punctuation that a tokenizer dropped is skipped. Nothing is guessed: where an unknown token could stand in two
places, or a token does not follow, the whole list is refused.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

Span = tuple[int, int]
SPECIAL = re.compile(
    r"\[(?:CLS|SEP|PAD|BOS|EOS|MASK)\]|</?s>|<(?:pad|cls|sep|bos|eos|mask)>|<\|[a-z_]+\|>", re.IGNORECASE
)
WORDPIECE_UNKNOWN = "[UNK]"
UNKNOWN = re.compile(r"\[UNK\]|<unk>", re.IGNORECASE)
BYTE = re.compile(r"<0x([0-9A-F]{2})>")
AROUND = 20


class AlignmentError(Exception):
    """Why tokens cannot be found in a text, in words that follow the column's name."""


class _Piece(NamedTuple):
    """`text` as it stands in the folded text; None for an unknown token, which is a whole `word` in WordPiece.

    `again`: one more token of a character's bytes.
    """

    text: str | None
    special: bool = False
    again: bool = False
    word: bool = False


class _Folded(NamedTuple):
    """A text without white space: each character's place in the text, and where its run without white space ends.

    `hidden` are the places before which something was dropped that is no plain space.
    """

    characters: str
    origins: list[int]
    ends: list[int]
    hidden: set[int]


class _Step(NamedTuple):
    """How a place in the text was reached: in how many ways, and by the last of them from where."""

    ways: int
    start: int
    before: int


Fold = Callable[[str], str]
Layers = list[dict[int, _Step]]


def align(tokens: Sequence[str], content: str) -> list[Span | None]:
    """The characters of each token; None for special tokens and for those of white space alone."""
    exact = _align_bytes(tokens, content)
    if exact is not None:
        return exact
    failures: list[_Stuck] = []
    for fold in (_as_it_is, _without_case, _without_accents):
        folded = _fold_text(content, fold)
        for pieces in _readings(tokens, fold):
            try:
                return _search(pieces, folded)
            except _Stuck as stuck:
                failures.append(stuck)
    raise AlignmentError(_explain(max(failures, key=lambda stuck: (stuck.ambiguous, stuck.token)), tokens, content))


class _Stuck(Exception):
    """The number of the first token without a place, and the character before it; or of too many places."""

    def __init__(self, token: int, at: int, ambiguous: bool = False) -> None:
        self.token, self.at, self.ambiguous = token, at, ambiguous
        super().__init__(token)


def _explain(stuck: _Stuck, tokens: Sequence[str], content: str) -> str:
    if stuck.ambiguous:
        return "have unknown or special tokens that could stand in several places: give offsets with the tokens"
    after = content[max(0, stuck.at - AROUND) : stuck.at]
    where = f"after {after!r}" if after else "at its start"
    return (
        f"do not follow one another in the text: number {stuck.token + 1}, {tokens[stuck.token]!r}, is not found "
        f"{where}; give all of them in order, or offsets"
    )


# Byte-level tokens


def _byte_alphabet() -> dict[str, int]:
    """The letters by which byte-level BPE (Radford et al. 2019) writes bytes: printable ones stand for themselves."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in set(plain)]
    return {chr(byte): byte for byte in plain} | {chr(256 + at): byte for at, byte in enumerate(others)}


_BYTES = _byte_alphabet()


def _to_bytes(token: str) -> bytes | None:
    values = [_BYTES.get(letter) for letter in token]
    return None if None in values else bytes(value for value in values if value is not None)


def _align_bytes(tokens: Sequence[str], content: str) -> list[Span | None] | None:
    """None where the tokens' bytes are not the text's, one after the other from its start."""
    raw, origins = content.encode(), [at for at, letter in enumerate(content) for _ in letter.encode()]
    spans: list[Span | None] = []
    done = 0
    for number, token in enumerate(tokens):
        special = SPECIAL.fullmatch(token) is not None
        part = token.encode() if special else _to_bytes(token)
        if part and not done and not raw.startswith(part):
            part = part.removeprefix(b" ")  # Some tokenizers put a space before the text.
        if part is None or not (special or raw.startswith(part, done)):
            return None
        # Of a special token that the text spells out after one that the tokenizer adds, the second is the text's.
        if raw.startswith(part, done) and not (special and tokens[number + 1 : number + 2] == [token]):
            touched = origins[done : done + len(part)]
            done += len(part)
            spans.append((touched[0], touched[-1] + 1) if touched else None)
        else:
            spans.append(None)
    return spans if done else None


# All other tokens


def _as_it_is(text: str) -> str:
    return text


def _without_case(text: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())


def _without_accents(text: str) -> str:
    return "".join(letter for letter in _without_case(text) if unicodedata.category(letter) != "Mn")


def _kept(letter: str) -> bool:
    """Neither white space nor invisible: tokenizers drop both."""
    return not letter.isspace() and unicodedata.category(letter) not in ("Cc", "Cf", "Zs")


# A text's maps stand together in most files.
@lru_cache(maxsize=8)
def _fold_text(content: str, fold: Fold) -> _Folded:
    characters: list[str] = []
    origins: list[int] = []
    ends: list[int] = []
    hidden: set[int] = set()
    for at, letter in enumerate([*content, " "]):
        kept = [one for one in fold(letter) if _kept(one)]
        characters += kept
        origins += [at] * len(kept)
        if not kept and letter != " ":
            hidden.add(len(characters))
        if letter.isspace():
            ends += [len(characters)] * (len(characters) - len(ends))
    return _Folded("".join(characters), origins, ends, hidden)


def _from_letters(token: str) -> str:
    return (_to_bytes(token) or token.encode()).decode(errors="ignore")


# What marks the tokens of a kind of tokenizer, and what such a token stands for.
MARKERS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (re.compile(r"[ĠĊ]"), _from_letters),
    (re.compile(r"▁|<0x[0-9A-F]{2}>$"), lambda token: token.replace("▁", " ")),
    (re.compile(r"##."), lambda token: token.removeprefix("##")),
    (re.compile(r".*</w>$"), lambda token: token.removesuffix("</w>")),
    (re.compile(r".+@@$"), lambda token: token.removesuffix("@@")),
)


def _readings(tokens: Sequence[str], fold: Fold) -> Iterator[list[_Piece]]:
    for marker, stands_for in MARKERS:
        if any(map(marker.match, tokens)):
            yield list(_pieces([stands_for(token) for token in tokens], fold))
    yield list(_pieces(tokens, fold))


def _pieces(tokens: Sequence[str], fold: Fold) -> Iterator[_Piece]:
    rest = 0
    for number, token in enumerate(tokens):
        if rest:
            rest -= 1
            yield _Piece("", again=True)
        elif BYTE.fullmatch(token):
            letter, rest = _from_bytes(tokens[number:])
            yield _Piece(_bare(letter, fold))
        elif UNKNOWN.fullmatch(token):
            yield _Piece(None, word=token == WORDPIECE_UNKNOWN)
        else:
            yield _Piece(_bare(token, fold), special=SPECIAL.fullmatch(token) is not None)


def _from_bytes(tokens: Sequence[str]) -> tuple[str, int]:
    """The first character of tokens such as <0xE2>, and how many tokens besides the first write it."""
    raw = b""
    for token in tokens[:4]:
        found = BYTE.fullmatch(token)
        if not found:
            break
        raw += bytes.fromhex(found[1])
        try:
            return raw.decode(), len(raw) - 1
        except UnicodeDecodeError:
            continue
    return tokens[0], 0


def _bare(token: str, fold: Fold) -> str:
    return "".join(letter for letter in fold(token) if _kept(letter))


def _search(pieces: list[_Piece], folded: _Folded) -> list[Span | None]:
    """The only way to lay the pieces over the text: unknown ones of any length in their run, or a word each."""
    for one_word in (False, True):
        try:
            layers = _lay(pieces, folded, one_word)
        except _Stuck:
            if one_word:
                break
            raise
        last = _only_end(layers[-1], folded)
        if last is not None:
            return _trace(layers, last, pieces, folded)
    raise _Stuck(len(pieces), 0, ambiguous=True)


def _lay(pieces: list[_Piece], folded: _Folded, one_word: bool) -> Layers:
    """After each piece, the places in the text that can be reached. _Stuck where there is none."""
    layers: Layers = [{0: _Step(1, 0, 0)}]
    for number, piece in enumerate(pieces):
        reached: dict[int, _Step] = {}
        for at, step in layers[-1].items():
            for start, end in _places(piece, at, folded, one_word):
                ways = step.ways + (reached[end].ways if end in reached else 0)
                reached[end] = _Step(min(ways, 2), start, at)
        if not reached:
            at = max(layers[-1])
            raise _Stuck(number, folded.origins[at - 1] + 1 if at else 0)
        layers.append(reached)
    return layers


def _places(piece: _Piece, at: int, folded: _Folded, one_word: bool) -> Iterator[Span]:
    if piece.text is None:
        yield from _unknown_places(at, folded, one_word and piece.word)
        return
    if piece.special or not piece.text:
        yield at, at
    if piece.text:
        start = at
        if not piece.special:
            while start < len(folded.characters) and not _stands(piece.text, start, folded):
                if _is_wordlike(folded.characters[start]):
                    return
                start += 1
        if _stands(piece.text, start, folded):
            yield start, start + len(piece.text)


def _stands(text: str, at: int, folded: _Folded) -> bool:
    return folded.characters.startswith(text, at)


def _unknown_places(at: int, folded: _Folded, one_word: bool) -> Iterator[Span]:
    """Of one character up to the end of the run without white space; or what WordPiece takes for a word.

    Line breaks, tabs and what is invisible may be unknown too, and are no part of the folded text.
    """
    if at in folded.hidden:
        yield at, at
    if at == len(folded.characters):
        return
    end = at + 1
    if not one_word:
        yield from ((at, stop) for stop in range(end, folded.ends[at] + 1))
        return
    if _joins(folded.characters[at]):
        while end < folded.ends[at] and _joins(folded.characters[end]):
            end += 1
    yield at, end


def _joins(letter: str) -> bool:
    """Punctuation stands alone in WordPiece, and so do ASCII's symbols and every ideograph."""
    if letter.isascii():
        return letter.isalnum()
    return unicodedata.category(letter)[0] != "P" and not unicodedata.name(letter, "").startswith("CJK")


def _is_wordlike(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LNM" or unicodedata.category(letter) == "So"


def _only_end(reached: dict[int, _Step], folded: _Folded) -> int | None:
    """Where the last piece ends, if that is certain: as near the text's end as can be, before punctuation at least."""
    length = len(folded.characters)
    whole = [at for at in reached if not any(map(_is_wordlike, folded.characters[at:]))]
    ends = [length] if length in reached else whole or list(reached)
    return ends[0] if sum(reached[at].ways for at in ends) == 1 else None


def _trace(layers: Layers, last: int, pieces: list[_Piece], folded: _Folded) -> list[Span | None]:
    spans: list[Span | None] = []
    end = last
    for layer in reversed(layers[1:]):
        step = layer[end]
        filled = step.start < end
        spans.append((folded.origins[step.start], folded.origins[end - 1] + 1) if filled else None)
        end = step.before
    spans.reverse()
    for number, piece in enumerate(pieces):
        if piece.again:
            spans[number] = spans[number - 1]
    return spans
