"""UAX 29 word boundaries in time linear in the text, where no space divides it for pages.

uniseg's time is quadratic in the length it is given. UAX 29 always breaks before a character of the class
"Other" that is no picture, and looks at nothing before it to decide what follows: cut there first, then ask.
"""

import re

from uniseg.wordbreak import word_boundaries

_SIGNS = r"!#-&(-+\-/<-@\[-^`{-~"
_SOUTHEAST_ASIA = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ec0-\u0ec6\u1000-\u102a\u1780-\u17b3"
)
_EAST_ASIA = "\u3001-\u3004\u3006-\u3029\u3041-\u3096\u309d-\u309f\u30fb\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
OTHER = _SIGNS + _SOUTHEAST_ASIA + _EAST_ASIA
_INDEPENDENT = re.compile(f"[{OTHER}]?[^{OTHER}]+|[{OTHER}]")
_PLAIN = re.compile(r".|[A-Za-z0-9]+")


def word_cuts(part: str) -> set[int]:
    """The boundaries of `part`, which has no white space, its two ends among them."""
    cuts = {0, len(part)}
    for piece in _INDEPENDENT.finditer(part):
        cuts.add(piece.start())
        if not _PLAIN.fullmatch(piece[0]):
            cuts.update(piece.start() + cut for cut in word_boundaries(piece[0]))
    return cuts
