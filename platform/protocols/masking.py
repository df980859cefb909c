"""Texts of which some words are hidden: how the hidden ones look, and what they give away.

Equal pills tell how many words are hidden and where, as in Lu et al. (2024). Runs made one pill tell only where words
are missing. Pills as wide as their words tell the lengths of words, and with them often the words.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, get_language_bidi, gettext, ngettext

from protocols.protocol import Content

EQUAL, RUNS, WIDTHS = "equal", "runs", "widths"
MASKS = {
    EQUAL: "A bar for each hidden word, all equally long",
    RUNS: "One bar for hidden words that follow each other",
    WIDTHS: "A bar for each hidden word, as long as the word",
}
WIDEST = 12


def masked(words: Sequence[str], shown: Collection[int], mask: str) -> Content:
    """What a record may hold: `words` with None for what is hidden and, with pills as wide as words, their `widths`."""
    seen = [word if place in shown else None for place, word in enumerate(words)]
    if mask == RUNS:
        return {"mask": mask, "words": list(_merged(seen))}
    if mask == WIDTHS:
        widths = [min(len(word), WIDEST) if place not in shown else None for place, word in enumerate(words)]
        return {"mask": mask, "words": seen, "widths": widths}
    return {"mask": mask, "words": seen}


def _merged(words: Sequence[str | None]) -> Iterator[str | None]:
    for hidden, run in groupby(words, key=lambda word: word is None):
        yield from [None] if hidden else run


def masked_text(content: Content) -> SafeString:
    """Built here, not in a template: a long text has hundreds of marks. A screen reader hears runs as a number."""
    words = content["words"]
    widths = content.get("widths") or [None] * len(words)
    pieces = []
    for hidden, run in groupby(zip(words, widths, strict=True), key=lambda entry: entry[0] is None):
        entries = list(run)
        if hidden:
            widths_of_run = tuple(width for _, width in entries)
            pieces.append(_hidden(widths_of_run, content.get("mask", EQUAL), get_language() or "en"))
        else:
            pieces += [f'<span class="shown">{escape(word)}</span>' for word, _ in entries]
    return mark_safe(" ".join(pieces))


@lru_cache(maxsize=4096)
def _hidden(widths: tuple[int | None, ...], mask: str, language: str) -> str:
    """In the language of the page; runs of one length are met again and again."""
    pills = " ".join(f'<span class="pill{f" wide b{width}" if width else ""}"></span>' for width in widths)
    # With a direction of its own, or these words would set that of a text in another script.
    direction = "rtl" if get_language_bidi() else "ltr"
    tag = f'<span class="visually-hidden" dir="{direction}" lang="{language}">'
    return f'{tag}{_spoken(widths, mask)}</span><span aria-hidden="true">{pills}</span>'


def _spoken(widths: Sequence[int | None], mask: str) -> str:
    if mask == RUNS:
        return gettext("hidden words")
    return ngettext("%(count)d hidden word", "%(count)d hidden words", len(widths)) % {"count": len(widths)}
