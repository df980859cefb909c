"""Heat maps as an SVG figure that needs no font, no stylesheet and no script: text in measured words on white."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from materials.arranging import Piece, arrange, direction
from materials.colours import INK, QUIET, ground, line
from materials.picturing import HeatMap, Picture
from materials.wording import figure_heading, legend, map_facts

WIDTH, MARGIN, SIZE, LEADING = 720, 16, 15, 27
HEAD, SMALL = 14, 12
ASCENT, DESCENT = 15, 5
FAMILY = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
THICKNESS = (0, 1, 1, 1.5, 2, 3)
# Characters that XML cannot hold.
UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw(picture: Picture, maps: Sequence[HeatMap]) -> str:
    """One figure of all `maps` of the picture, one under another."""
    parts: list[str] = []
    y = MARGIN + HEAD
    for text in _wrapped(figure_heading(picture), 80):
        parts.append(_line(MARGIN, y, text, HEAD, "bold"))
        y += HEAD + 6
    for one in maps:
        y += 14
        parts.append(_line(MARGIN, y, one.title, HEAD, "bold"))
        y += 18
        parts.append(_line(MARGIN, y, map_facts(one), SMALL, colour=QUIET))
        for pieces in arrange(one, WIDTH - 2 * MARGIN, SIZE):
            y += LEADING
            parts.append("".join(_drawn(pieces, y)))
        y += 20
    for text in _wrapped(" ".join(legend(maps, "solid line", "dashed line")), 112):
        y += SMALL + 4
        parts.append(_line(MARGIN, y, text, SMALL, colour=QUIET))
    return _document(figure_heading(picture), parts, y + MARGIN, picture.language)


def _document(title: str, parts: Sequence[str], height: float, language: str) -> str:
    spoken = f" xml:lang={quoteattr(language)}" if language else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}" '
        f'role="img" font-family="{FAMILY}" fill="{INK}"{spoken}>\n<title>{_text(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{height:g}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _drawn(pieces: Sequence[Piece], y: float) -> Iterator[str]:
    for number, group in groupby(pieces, lambda piece: piece.mark):
        if number:
            yield _ground(list(group), y)
    for piece in pieces:
        yield _word(piece, y)


def _ground(pieces: Sequence[Piece], y: float) -> str:
    """One box behind a whole mark, with a line below it: solid for, dashed against."""
    left = min(piece.x for piece in pieces) + MARGIN - 1
    right = max(piece.x + piece.width for piece in pieces) + MARGIN + 1
    strength = pieces[0].strength
    dashes = ' stroke-dasharray="4 3"' if strength < 0 else ""
    bottom = y + DESCENT
    return (
        f'<rect x="{left:.1f}" y="{y - ASCENT:g}" width="{right - left:.1f}" height="{ASCENT + DESCENT}" rx="3" '
        f'fill="{ground(strength)}"/><path d="M{left:.1f} {bottom:g}H{right:.1f}" stroke="{line(strength)}" '
        f'stroke-width="{THICKNESS[abs(strength)]:g}"{dashes}/>'
    )


def _word(piece: Piece, y: float) -> str:
    """Fitted to its measure, whatever the font; where text runs to the left, x is its right edge."""
    x = piece.x + MARGIN + (piece.width if piece.leftward else 0)
    colour = "" if piece.seen else f' fill="{QUIET}" font-style="italic"'
    turned = ' direction="rtl"' if piece.leftward else ""
    fitted = f' textLength="{piece.width:.1f}" lengthAdjust="spacingAndGlyphs"' if piece.width else ""
    return f'<text x="{x:.1f}" y="{y:g}" font-size="{SIZE}"{colour}{turned}{fitted}>{_text(piece.text)}</text>'


def _line(x: float, y: float, text: str, size: int, weight: str = "normal", colour: str = INK) -> str:
    anchor = ' direction="rtl" text-anchor="end"' if direction(text) == "rtl" else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{colour}"{anchor}>'
        f"{_text(text)}</text>"
    )


def _wrapped(text: str, most: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _text(text: str) -> str:
    return escape(UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))
