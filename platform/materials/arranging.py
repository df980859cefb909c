"""A heat map in lines of a given width: what stands where, in either direction of writing."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from materials.gauging import width
from materials.picturing import HeatMap

RIGHT_TO_LEFT = ("R", "AL")


@dataclass(frozen=True)
class Piece:
    """A word, or what stands between words, without white space. `mark` numbers the mark it is in, from 1.

    `x` is its left edge, `leftward` whether it is read from right to left there.
    """

    text: str
    width: float
    spaced: bool
    strength: int = 0
    mark: int = 0
    seen: bool = True
    x: float = 0.0
    leftward: bool = False

    @property
    def direction(self) -> str:
        """Of its letters; empty where it has none."""
        return direction(self.text)


def direction(text: str) -> str:
    """As `dir=auto` finds it: by the first letter."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind == "L":
            return "ltr"
        if kind in RIGHT_TO_LEFT:
            return "rtl"
    return ""


def arrange(one: HeatMap, line_width: float, size: float) -> list[list[Piece]]:
    """Lines of pieces, each with the x of its left edge."""
    base = direction(one.content) or "ltr"
    gap = width(" ", size)
    return [_placed(line, base, line_width, gap) for line in _lines(_pieces(one, size), line_width, gap)]


def _pieces(one: HeatMap, size: float) -> Iterator[Piece | None]:
    """In reading order; None for a line break of the text."""
    marked = {
        at: (strength, number)
        for number, (start, end, strength) in enumerate(one.marks, start=1)
        for at in range(start, end)
    }
    done = 0
    for start, end, score in zip(one.starts, one.ends, one.scores, strict=True):
        yield from _between(one.content[done:start], size)
        strength, number = marked.get(start, (0, 0))
        spaced = start == 0 or one.content[start - 1].isspace()
        word = one.content[start:end]
        yield Piece(word, width(word, size), spaced, strength, number, score is not None)
        done = end
    yield from _between(one.content[done:], size)


def _between(gap: str, size: float) -> Iterator[Piece | None]:
    """What the explanation has no word for, which is white space as a rule."""
    for found in re.finditer(r"\n|[^\s]+", gap):
        text = found[0]
        yield None if text == "\n" else Piece(text, width(text, size), gap[: found.start()][-1:].isspace())


def _lines(pieces: Iterable[Piece | None], most: float, gap: float) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    used = 0.0
    for cluster in _clusters(pieces, most):
        room = sum(piece.width for piece in cluster)
        space = gap if cluster and cluster[0].spaced and line else 0.0
        if line and (not cluster or used + space + room > most):
            yield line
            line, used, space = [], 0.0, 0.0
        line += cluster
        used += space + room
    if line:
        yield line


def _clusters(pieces: Iterable[Piece | None], most: float) -> Iterator[list[Piece]]:
    """What no line break may part: a word with its punctuation; an empty one where the text breaks the line."""
    cluster: list[Piece] = []
    for piece in pieces:
        for part in _cut(piece, most) if piece else [None]:
            wide = part and sum(one.width for one in cluster) + part.width > most
            if cluster and (part is None or wide or part.spaced or (part.direction and cluster[-1].direction)):
                yield cluster
                cluster = []
            if part:
                cluster.append(part)
            else:
                yield []
    if cluster:
        yield cluster


def _cut(piece: Piece, most: float) -> list[Piece]:
    """A word that is wider than a line, in parts that are not."""
    if piece.width <= most:
        return [piece]
    length = max(1, int(len(piece.text) * most / piece.width))
    parts = [piece.text[at : at + length] for at in range(0, len(piece.text), length)]
    share = piece.width / len(piece.text)
    return [
        replace(piece, text=part, width=min(most, share * len(part)), spaced=piece.spaced and not at)
        for at, part in enumerate(parts)
    ]


def _placed(line: Sequence[Piece], base: str, line_width: float, gap: float) -> list[Piece]:
    """Words of the other direction run the other way among themselves (UAX 9, by words)."""
    placed: list[Piece] = []
    x = 0.0
    for piece, space, other in _in_order(line, base):
        x += gap if space and placed else 0.0
        left = x if base == "ltr" else line_width - x - piece.width
        placed.append(replace(piece, x=left, leftward=(base == "rtl") != other))
        x += piece.width
    return placed


def _in_order(line: Sequence[Piece], base: str) -> Iterator[tuple[Piece, bool, bool]]:
    """From where a line begins to where it ends: whether space stands before a piece, and whether it runs back."""
    for other, pairs in groupby(zip(line, _others(line, base), strict=True), lambda pair: pair[1]):
        run = [piece for piece, _ in pairs]
        spaces = [piece.spaced for piece in run]
        if other:
            run, spaces = run[::-1], [spaces[0], *spaces[:0:-1]]
        yield from ((piece, space, other) for piece, space in zip(run, spaces, strict=True))


def _others(line: Sequence[Piece], base: str) -> list[bool]:
    """Whether each piece runs against the line; what has no letters goes with its neighbours if they agree."""
    own = [piece.direction for piece in line]
    others = []
    for at, found in enumerate(own):
        before = next((one for one in own[at::-1] if one), base)
        after = next((one for one in own[at:] if one), base)
        others.append((found or (before if before == after else base)) != base)
    return others
