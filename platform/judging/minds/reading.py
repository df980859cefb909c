"""What a page shows, as any reader sees it."""

import re
from typing import NamedTuple

from lxml.html import HtmlElement

from judging.simulating import Mind, words_of

# Steps of the coarse displays and of the fine ones.
COARSE, FINE = 5, 20


class Mark(NamedTuple):
    """Marked text; `strength` from -1 to 1, negative where it speaks against the prediction."""

    text: str
    strength: float


class Scale(NamedTuple):
    """A question answered by a number."""

    key: str
    low: int
    high: int

    def at(self, where: float) -> str:
        """The number at a place from -1, the low end, to 1."""
        wanted = self.low + (self.high - self.low) * (1 + where) / 2
        return str(max(self.low, min(self.high, round(wanted))))


def offered(page: HtmlElement) -> list[str]:
    return [str(button.get("value")) for button in page.cssselect("button[name=answer]")]


def predicted(page: HtmlElement) -> str:
    """Or the label that is to be justified: a page names one of them at most."""
    return str(page.cssselect(".prediction strong")[-1].text_content())


def body(page: HtmlElement) -> str:
    """The text that the page shows first."""
    return str(page.cssselect(".text-body")[0].text_content())


def visible_words(page: HtmlElement) -> list[str]:
    """Those not hidden, where words are hidden; otherwise all."""
    masked = page.cssselect(".text-words")
    shown = page.cssselect(".text-words .shown") if masked else page.cssselect(".text-body")[:1]
    return [word for one in shown for word in words_of(one.text_content())]


def marks(where: HtmlElement) -> list[Mark]:
    found = where.cssselect(".text-body .mark, .text-body .stick")
    return [Mark(one.text_content(), strength(one.get("class", ""))) for one in found]


def strength(classes: str) -> float:
    coarse = re.search(r"\b(level|for|against)-(\d)", classes)
    if coarse:
        return (-1 if coarse[1] == "against" else 1) * int(coarse[2]) / COARSE
    fine = re.search(r"\bb(\d+)\b", classes)
    return (-1 if "-against" in classes else 1) * int(fine[1]) / FINE if fine else 0.0


def agreement(mind: Mind, where: HtmlElement, label: str) -> float:
    """From -1 to 1: how far the marked words speak for the label in the mind's own lexicon; 0 without marks."""
    found = marks(where)
    agreed = sum(one.strength * mind.support(words_of(one.text), label) for one in found)
    return agreed / (sum(abs(one.strength) for one in found) or 1)


def scales(page: HtmlElement) -> list[Scale]:
    asked = page.cssselect("fieldset[data-asked]")
    if not asked:
        values = [int(value) for value in offered(page)]
        return [Scale("answer", min(values), max(values))]
    return [_scale(one) for one in asked]


def _scale(asked: HtmlElement) -> Scale:
    sliders = asked.cssselect("input[type=number]")
    if sliders:
        return Scale(sliders[0].get("name"), int(sliders[0].get("min")), int(sliders[0].get("max")))
    radios = asked.cssselect("input[type=radio]")
    values = [int(radio.get("value")) for radio in radios]
    return Scale(radios[0].get("name"), min(values), max(values))
