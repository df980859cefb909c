"""How wide words are, without a font: every word of a figure is then fitted to its measure.

Printable ASCII in Helvetica, in thousandths of the font size; Arial and Liberation Sans have the same.
Source: Adobe Core 14 font metrics.
"""

import unicodedata

ZERO_WIDTH_JOINER = "\u200d"
WIDE, NARROW, LETTER = 1000, 500, 600
# fmt: off
HELVETICA = dict(zip(map(chr, range(32, 127)), (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
), strict=True))
# fmt: on


def width(text: str, size: float) -> float:
    """In the unit of `size`."""
    total, joined = 0, False
    for character in text:
        total += 0 if joined else _width(character)
        joined = character == ZERO_WIDTH_JOINER
    return total * size / 1000


def _width(character: str) -> int:
    if known := HELVETICA.get(character):
        return known
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Sk"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    base = unicodedata.normalize("NFD", character)[0]
    # Arabic letters join, and are narrow on the whole.
    return HELVETICA.get(base) or (NARROW if unicodedata.bidirectional(character) == "AL" else LETTER)
